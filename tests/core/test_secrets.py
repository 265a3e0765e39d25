"""Secrets are found whatever their form, and what only looks like one is left alone."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.fakes import ALNUM, BASE64, HEX, PRIVATE, UPPER, URL64, block, fake
from vaultmem.core.secret_kinds import PRIORITY, SecretKind
from vaultmem.core.secrets import Secret, find_secrets, merge, preview, redact_found

JWT = ".".join(("ey" + "J" + fake(20, URL64), "ey" + "J" + fake(40, URL64), fake(43, URL64)))
PUTTY = (
    "PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\nPrivate-Lines: 1\n"
    f"{fake(48, BASE64)}\nPrivate-MAC: {fake(64, HEX)}"
)


def redact(text: str) -> str:
    return redact_found(text, find_secrets(text))


# kind, what stands before the secret, the secret, what stands after it
FOUND = [
    ("openssh_private_key", "", block(f"OPENSSH {PRIVATE}"), "\nafter"),
    ("pem_private_key", "key:\n", block(f"RSA {PRIVATE}"), ""),
    ("pem_private_key", "", block(PRIVATE), ""),
    ("pem_private_key", "", block(f"EC {PRIVATE}"), ""),
    ("pem_private_key", "", block(f"ENCRYPTED {PRIVATE}"), ""),
    # as one line of JSON
    ("pem_private_key", '{"key": "', block(PRIVATE).replace("\n", "\\n"), '"}'),
    # cut off by a limit of an excerpt
    ("pem_private_key", "", block(f"DSA {PRIVATE}", close=False), "\n"),
    ("pgp_private_key", "", block(f"PGP {PRIVATE} BLOCK"), ""),
    ("putty_private_key", "", PUTTY, ""),
    ("age_secret_key", "", "AGE-SECRET-" + "KEY-1" + fake(58, UPPER), ""),
    ("github_token", "Always use token ", "gh" + "p_" + fake(36), ""),
    ("github_token", "", "gh" + "o_" + fake(36), "."),
    ("github_token", "(", "gh" + "s_" + fake(30), ")"),
    ("github_token", "https://", "gh" + "r_" + fake(76), "@github.com/acme/shop"),
    ("github_token", "", "github" + "_pat_" + fake(22) + "_" + fake(59), ""),
    ("gitlab_token", "", "glp" + "at-" + fake(20, URL64), ""),
    ("gitlab_token", "", "gld" + "t-" + fake(20, URL64), ""),
    ("gitlab_token", "runner ", "glr" + "t-" + fake(26, URL64), ""),
    ("slack_token", "", "xox" + "b-" + "123456789012-1234567890123-" + fake(24), ""),
    ("slack_token", "", "xox" + "p-" + fake(40), ""),
    ("slack_token", "", "xap" + "p-1-A0" + fake(9, UPPER) + "-" + fake(30), ""),
    ("slack_webhook", "https://", "hooks.slack" + ".com/services/T0" + fake(9, UPPER) + "/B0/" + fake(24), ""),
    ("aws_access_key", "", "AK" + "IA" + fake(16, UPPER), " is ours"),
    ("aws_access_key", "", "AS" + "IA" + fake(16, UPPER), ""),
    ("aws_secret_key", "aws_secret_access_key = ", fake(40, BASE64), ""),
    ("aws_secret_key", "the AWS secret key is ", fake(40), ""),
    ("azure_key", "DefaultEndpointsProtocol=https;AccountName=a;AccountKey=", fake(86, BASE64) + "==", ";"),
    ("azure_key", "Endpoint=sb://x.example/;SharedAccessKey=", fake(43, BASE64) + "=", ""),
    ("azure_key", "https://a.blob.example/c?sv=2024&sig=", fake(43) + "%3D", "&se=1"),
    ("azure_key", "client secret ", fake(3) + "8Q" + "~" + fake(34), ""),
    ("google_api_key", "", "AI" + "za" + fake(35, URL64), ""),
    ("google_api_key", "", "GOC" + "SPX-" + fake(28, URL64), ""),
    ("npm_token", "//registry.example/:_authToken=", "npm" + "_" + fake(36), ""),
    ("pypi_token", "", "py" + "pi-" + fake(80, URL64), ""),
    ("stripe_key", "", "sk" + "_live_" + fake(24), ""),
    ("stripe_key", "", "rk" + "_test_" + fake(24), ""),
    ("stripe_key", "", "wh" + "sec_" + fake(32), ""),
    ("api_key", "", "sk" + "-" + fake(48), ""),
    ("api_key", "", "sk" + "-proj-" + fake(60, URL64), ""),
    ("api_key", "", "sk" + "-ant-api03-" + fake(80, URL64), ""),
    ("api_key", "", "sk" + "-" + fake(20), ""),
    ("service_token", "", "h" + "f_" + fake(34), ""),
    ("service_token", "", "dckr" + "_pat_" + fake(27, URL64), ""),
    ("service_token", "", "do" + "p_v1_" + fake(64, HEX), ""),
    ("service_token", "", "S" + "G." + fake(22, URL64) + "." + fake(43, URL64), ""),
    ("service_token", "https://", "discord" + ".com/api/webhooks/123456789012345678/" + fake(60, URL64), ""),
    ("jwt", "cookie: session=", JWT, "; path=/"),
    ("jwt", "", JWT, ""),
    ("connection_string", "postgres://app:", "s3cr3t-Pa55", "@db.example:5432/app"),
    ("connection_string", "redis://:", fake(16), "@cache:6379/0"),
    ("connection_string", "mongodb+srv://app:", "p@ss" + fake(8), "@cluster.example/db"),
    ("basic_auth_url", "git clone https://jane:", fake(20), "@git.example/acme/shop.git"),
    ("basic_auth", "Authorization: Basic ", fake(22, BASE64) + "==", ""),
    ("basic_auth", "curl -u jane:", "Winter2031!", " https://api.example"),
    ("bearer_token", "Authorization: Bearer ", fake(40), ""),
    ("bearer_token", "use bearer ", "a" * 32, ""),
    ("oauth_token", '"refresh_token": "', fake(40), '"'),
    ("oauth_token", "?access_token=", fake(32), "&page=2"),
    ("env_secret", "DATABASE_PASSWORD=", "correct-horse-battery", ""),
    ("env_secret", "export STRIPE_API_KEY='", fake(24), "'"),
    ("env_secret", "SESSION_SECRET: ", fake(24), ""),
    ("env_secret", "set GRAFANA_TOKEN = ", fake(24), "."),
    ("assigned_secret", 'api_key = "', fake(24), '"'),
    ("assigned_secret", "apiKey: '", fake(24), "',"),
    ("assigned_secret", "password: ", "hunter2x9", ""),
    ("assigned_secret", '"password": "', "P@ssw0rd!", '"'),
    ("assigned_secret", "the staging password is ", "hunter2x9", "."),
    ("assigned_secret", "clientSecret=", fake(24), "&scope=all"),
    ("assigned_secret", "Server=db;User Id=sa;Password=", "Secr3t-41", ";"),
    ("assigned_secret", "secret_key_base: ", fake(64, HEX), ""),
    ("assigned_secret", "os.environ['auth_token'] = '", fake(20), "'"),
    ("assigned_secret", "signing key := `", fake(20), "`"),
    ("assigned_secret", "X-Api-Key: ", fake(20, HEX), ""),
    ("assigned_secret", "api_key=", "550e8400-e29b-41d4-a716-446655440000", ""),
    ("assigned_secret", "the password is ", "Tr0ub4dor&3zzz", " there"),
    ("assigned_secret", "password: ", "Tr0ub4dor&x=3zzz", ""),
    ("assigned_secret", "password: ", "Tr0ub4,dor3;zz", ", it says"),
    ("env_secret", "MYSQL_PWD=", "ab&cd12345&efgh", ""),
    ("assigned_secret", "db_pass=", "ab1cd23e", ",host=x"),
    ("env_secret", "MYSQL_PWD=", "correct-horse-battery", " run"),
    ("assigned_secret", "the wifi password is ", "correct-horse$battery%staple9", ""),
    ("assigned_secret", 'passphrase "', "foo bar baz 99 qux", '"'),
    ("assigned_secret", "passphrase: '", "foo bar baz 99 qux", "'"),
    ("assigned_secret", 'the password "', "hunter2x9", '" works'),
    ("assigned_secret", "https://x.example/a?token=", "abc12345de", "&user=jane"),
    ("assigned_secret", "Pwd=", "abc12345de", ";Server=x;password=<p>"),
    ("basic_auth", "curl -u jane:", "Win$ter:2031!", " https://api.example"),
    ("assigned_secret", "deploy --token ", fake(20), " now"),
    ("assigned_secret", "mysqldump --password=", "Winter2031", " app"),
    ("assigned_secret", "machine git.example login jane password ", "Winter2031", ""),
]  # fmt: skip


@pytest.mark.parametrize(
    ("kind", "before", "secret", "after"),
    FOUND,
    ids=[f"{number}-{row[0]}" for number, row in enumerate(FOUND)],
)
def test_a_secret_is_found_whole_and_taken_out(
    kind: str, before: str, secret: str, after: str
) -> None:
    text = before + secret + after

    assert [(found.kind, text[found.start : found.end]) for found in find_secrets(text)] == [
        (kind, secret)
    ]
    assert redact(text) == f"{before}[redacted_secret:{kind}]{after}"
    assert redact(redact(text)) == redact(text)


SHA = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
ORDINARY = [
    "password: required", "token: string", "Add a password: field to the form.",
    "The secret is to test early.", "The token is valid for 30 days.", "The password was changed.",
    "token: Optional[str] = None", "password: str", "def login(user: str, password: str) -> Token:",
    'password = os.environ["DB_PASSWORD"]', "token = process.env.GITHUB_TOKEN",
    "api_key=settings.OPENAI_API_KEY", 'secret = getenv("SESSION_SECRET")',
    "token = await fetchToken(userId)", "const token = useAuthToken()", "password: this.state.pw1",
    "GITHUB_TOKEN=$TOKEN", "GITHUB_TOKEN=${{ secrets.GITHUB_TOKEN }}", "API_KEY=<your-api-key>",
    "OPENAI_API_KEY=sk-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", "Authorization: Bearer <token>",
    "Authorization: Bearer $TOKEN", "STRIPE_API_KEY=your-key-goes-here", "API_TOKEN=changeme-please",
    "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", "password=********", "api_key: ...",
    "MAX_TOKENS=128000000000", "token_count: 12345678", "max_tokens: 4096", "tokens: 1,700",
    "TOKEN_TYPE=authorization_code", "SECRET_NAME=billing-web-credentials",
    "password_hash: " + SHA, "secret_id = " + SHA[:32], "PASSWORD_MIN_LENGTH=100000000000",
    "SECRET_KEY_FILE=/run/secrets/django_key", "token_url = https://auth.example/oauth2/token1",
    "password: /run/secrets/db1", "token: auth2.py", "PRIVATE_KEY_PATH=~/.ssh/id_ed25519",
    "postgres://user:password@localhost:5432/app", "postgres://postgres:postgres@db/app",
    "redis://cache:6379/0", "mongodb://${USER}:${PASS}@cluster/db", "https://user:<token>@git.example/a",
    "http://localhost:8000/a@b", "git@github.com:acme/shop.git", "https://example.org/@jane:home",
    "550e8400-e29b-41d4-a716-446655440000", "commit " + SHA[:40], "fix in " + SHA[:7],
    f"sha256:{SHA}", f'"integrity": "sha512-{"mZ4x" * 21}+/Q=="', f"--hash=sha256:{SHA}",
    "mem_01JDR3Z8Q4M5N6P7R8S9T0V1W2", "cand_01JDR3Z8Q4M5N6P7R8S9T0V1W2 is approved",
    f"%% mac:{SHA} %%", f"| 2026-11-29 | after={SHA} |", "01JDR3Z8Q4M5N6P7R8S9T0V1W2",
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4",
    "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGx0c3RzdHJpbmdmb3J0ZXN0aW5ncHVycG9z jane@laptop",
    "Look for -----BEGIN RSA " + "PRIVATE KEY----- in the diff.",
    "-----BEGIN CERTIFICATE-----\nMIIDdzCCAl+gAwIBAgIEAgAAuTANBgkqhkiG9w0BAQUFADBaMQsw\n-----END CERTIFICATE-----",
    "-----BEGIN " + "PRIVATE KEY-----\n...\n-----END " + "PRIVATE KEY-----",
    "task-a1b2c3d4e5f6a7b8c9d0", "sk-button-primary-large-with-an-icon-and-more", "risk-1234567890123456789",
    "npm_config_registry", "pypi-publish", "xoxo, Jane", "glpat tokens start with glpat-",
    "Use basic authentication for the proxy.", "Basic knowledge of Kubernetes",
    "the bearer of this ticket", "curl -u $USER:$PASS https://api.example", "curl -u jane: https://api.example",
    "key: value", "primary_key: order_id2", "foreign key = customer.id", 'cache_key = "user:42"',
    "Keyboard: Dvorak2", "tokenizer = AutoTokenizer2", "passthrough: enabled1", "author: jane2001",
    "password: letters+signs", "token: ab12cd", 'EXPIRED_TOKEN = "expired_token"', '["--token", "--quiet1"]', '"/etc/passwd", "file-1"',
    '"refresh_token": "hf_oauth__refresh_token"', "hf_cache_info.incomplete_size_on_disk.bytes_in_total",
    "Attaches HTTP Basic Authentication to the request.", "assert token == 'other_token'",
    "Rotate the API key every 90 days.", "Never log a token, a password or a cookie.",
    "--password-file=/etc/db.pw", "--token $TOKEN", "uses: actions/checkout@v4 with token: ${{ github.token }}",
    "token: '{{ vault_token }}'", 'password: "%s"', 'password="correct password"', "secret: null",
    "password: undefined", "password: v2.1.0", "token: 2026-11-29", 'token = "access_token"',
    'passwordField = "password1"', "AKIA is how access keys begin", "AKIAshort", "the sig=abc parameter",
    'passphrase: "must have at least 12 letters"', 'the secret "regcred-2" is there', 'the token "user_id9x"',
    "token: Vec&lt;u8&gt;", "secret: &[u8;32]", "password: &SecretText2", "credentials: read1,write2", "PWD=/home/jane/x1",
    'passphrase "$PASS one two 3"', "API_KEY=v1-$TOKEN_OF_9", "the secret is foo,bar2", "password=abc&retry=tries12x",
    "run %TOKEN_OF_9%", "password=%TOKEN_OF_9%", "FIRST_PASS=/a/b/c/d/e/f9", "one_pass: 3ms",
    "dapi is no token", "access_token is a JWT", "AWS secret keys have 40 characters",
]  # fmt: skip


@pytest.mark.parametrize("text", ORDINARY)
def test_what_only_looks_like_a_secret_is_left_alone(text: str) -> None:
    assert find_secrets(text) == ()
    assert redact(text) == text


def test_there_are_enough_rows() -> None:
    assert len(FOUND) >= 60
    assert len(ORDINARY) >= 60
    assert {row[0] for row in FOUND} == set(SecretKind) - {SecretKind.DETECTED}


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("api_key", "sk" + "-" + fake(40)),
        ("github_token", "gh" + "p_" + fake(36)),
        ("aws_access_key", "AK" + "IA" + fake(16, UPPER)),
        ("openssh_private_key", block(f"OPENSSH {PRIVATE}")),
        ("bearer_token", "Bearer " + fake(32)),
        ("env_secret", "DATABASE_PASSWORD=" + fake(12)),
    ],
)
def test_row21_100_kinds(kind: str, text: str) -> None:
    assert [found.kind for found in find_secrets(text)] == [kind]
    assert f"[redacted_secret:{kind}]" in redact(text)


def test_row21_100_prose() -> None:
    assert find_secrets("Rotate tokens often, and keep passwords out of the notes.") == ()


def test_row21_020_a_token_in_a_rule() -> None:
    assert [found.kind for found in find_secrets("Always use token gh" + "p_" + "a" * 40)] == [
        "github_token"
    ]


def test_overlaps_become_one_secret_of_the_first_kind() -> None:
    token = "gh" + "p_" + fake(36)
    text = f"GITHUB_TOKEN=x+yy.{token}"

    found = find_secrets(text)

    assert [(one.kind, text[one.start : one.end]) for one in found] == [
        ("github_token", f"x+yy.{token}")
    ]


def test_several_secrets_are_taken_out_apart() -> None:
    first, second = "gh" + "p_" + fake(36), "npm" + "_" + fake(36)

    assert redact(f"{first} and {second}.") == (
        "[redacted_secret:github_token] and [redacted_secret:npm_token]."
    )


def test_touching_spans_stay_two() -> None:
    spans = [(SecretKind.JWT, 0, 3), (SecretKind.API_KEY, 3, 6)]

    assert [(one.start, one.end) for one in merge("abcdef", spans)] == [(0, 3), (3, 6)]


@pytest.mark.parametrize(
    ("secret", "shown"),
    [("a" * 12, "[redacted]"), ("abcd56789wxyz", "abcd…wxyz"), ("", "[redacted]")],
)
def test_a_preview_shows_both_ends_of_what_is_long_enough(secret: str, shown: str) -> None:
    assert preview(secret) == shown


def test_every_kind_has_a_rank_of_its_own() -> None:
    assert sorted(PRIORITY.values()) == list(range(len(SecretKind)))


PIECES = st.sampled_from(
    [row[1] + row[2] + row[3] for row in FOUND]
    + ORDINARY
    + [" ", "\n", "password: ", "=", '"', "'"]
)


@given(st.lists(PIECES | st.text(max_size=30), max_size=6))
def test_spans_are_in_order_apart_and_redacting_again_changes_nothing(pieces: list[str]) -> None:
    text = " ".join(pieces)
    found = find_secrets(text)

    at = 0
    for one in found:
        assert isinstance(one, Secret)
        assert at <= one.start < one.end <= len(text)
        at = one.end
    assert redact(redact(text)) == redact(text)


@given(
    st.sampled_from([row for row in FOUND if not row[1].startswith(("mach", "curl"))]),
    st.text(ALNUM + " ", max_size=60),
)
def test_a_secret_is_found_in_the_middle_of_a_text(
    row: tuple[str, str, str, str], around: str
) -> None:
    _, before, secret, after = row

    assert secret not in redact(f"{around}\n{before}{secret}{after}\n{around}")


REPEATED = [
    "a_", "sk" + "-", "eyJ", "token=", "password: ", "ghp" + "_", "-----BEGIN RSA " + "PRIVATE KEY-----",
    "://a:", "aws secret key ", "curl -u ", "bearer ", "PASSWORD", "pwd=a&b;", "password is a,", "pass \"", "password='", "--password ", "basic A",
]  # fmt: skip


@pytest.mark.parametrize("piece", REPEATED)
def test_a_long_text_of_beginnings_takes_steps_in_proportion(piece: str) -> None:
    """No pattern may start over at every character; a hundred thousand would not end otherwise."""
    text = (piece * (100_000 // len(piece) + 1))[:100_000]

    assert all(one.end <= len(text) for one in find_secrets(text))


@pytest.mark.parametrize("depth", [1, 2, 3])
@pytest.mark.parametrize(
    "text",
    [
        '{"password": "c0rrecth0rse77"}',
        '{"api_key": "c0rrecth0rse77"}',
        "DB_PASSWORD='c0rrecth0rse77'",
        'password = "c0rrecth0rse77"',
        'run --password "c0rrecth0rse77"',
    ],
)
def test_a_quoted_secret_is_found_where_its_quotes_are_escaped(text, depth):
    for _ in range(depth):
        text = json.dumps(text).replace("'", "\\'")
    assert "c0rrecth0rse77" not in redact(f"curl -d {text} x")


def test_escaped_quotes_around_no_secret_stay():
    told = '{"a": "the \\"token\\": \\"none\\" of it, password = \\"$PASSWORD\\""}'
    assert redact(told) == told
