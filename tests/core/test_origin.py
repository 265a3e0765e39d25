"""The name of a repository from the URL of its origin."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.core.origin import MAX_ID, is_project_id, looks_like_origin, origin_id

ACME = "github.com/acme/billing-web"


@pytest.mark.parametrize(
    "url",
    [
        "https://github.com/acme/billing-web.git",
        "https://github.com/acme/billing-web",
        "https://github.com/acme/billing-web/",
        "https://github.com/acme/billing-web.git/",
        "http://github.com/acme/billing-web.git",
        "https://GitHub.COM/acme/billing-web.GIT",
        "HTTPS://github.com/acme/billing-web.git",
        "https://github.com./acme/billing-web.git",
        "https://github.com:443/acme/billing-web.git",
        "https://github.com//acme//billing-web.git",
        "https://github.com/acme/billing-web.git?ref=main&token=s3cret",
        "https://github.com/acme/billing-web.git#readme",
        "https://github.com/acme/billing%2Dweb.git",
        "  https://github.com/acme/billing-web.git\n",
        # other ways in
        "ssh://git@github.com/acme/billing-web.git",
        "ssh://git@github.com:2222/acme/billing-web.git",
        "git+ssh://git@github.com/acme/billing-web.git",
        "git://github.com/acme/billing-web.git",
        "git@github.com:acme/billing-web.git",
        "git@github.com:/acme/billing-web.git",
        "github.com:acme/billing-web",
        "git@GITHUB.com:acme/billing-web.git",
        # credentials, also those that should have been escaped
        "https://s3cret@github.com/acme/billing-web.git",
        "https://ann:s3cret@github.com/acme/billing-web.git",
        "https://ann:@github.com/acme/billing-web.git",
        "https://x-access-token:ghs_s3cret@github.com:8443/acme/billing-web.git",
        "https://ann@corp.example:s3cret@github.com/acme/billing-web.git",
        "https://ann:s3%40cret@github.com/acme/billing-web.git",
        "https://ann:s3/cret@github.com/acme/billing-web.git",
        "https://ann:33/cret@github.com/acme/billing-web.git",
        "https://ann:33/cr/et@github.com/acme/billing-web.git",
        "https://ann:s3/@github.com/acme/billing-web.git",
        "https://ann:s3?cret@github.com/acme/billing-web.git",
        "https://ann:s3#cret@github.com/acme/billing-web.git",
        "https://ann:s3/cr?et@github.com:8443/acme/billing-web.git",
        "ann:s3cret@github.com/acme/billing-web.git",
        "ann:s3cret@github.com:acme/billing-web.git",
        "ann:s3/cret@github.com:acme/billing-web.git",
    ],
)
def test_every_way_to_a_repository_gives_its_one_name(url: str) -> None:
    assert origin_id(url) == ACME


@pytest.mark.parametrize(
    ("url", "name"),
    [
        (
            "https://gitlab.example.com/group/sub/project.git",
            "gitlab.example.com/group/sub/project",
        ),
        ("git@ssh.dev.azure.com:v3/org/project/repo", "ssh.dev.azure.com/v3/org/project/repo"),
        ("https://host/@scope/name", "host/@scope/name"),
        ("https://git.example.com/~ann/tool", "git.example.com/~ann/tool"),
        ("work:tool", "work/tool"),
        ("https://host/My%20Project/_git/A%20B", "host/My Project/_git/A B"),
        ("https://host/Größe/straße", "host/Größe/straße"),
        ("https://host/acme/Billing", "host/acme/Billing"),  # a path may mind its case
    ],
)
def test_keeps_the_path_as_it_is(url: str, name: str) -> None:
    assert origin_id(url) == name


@pytest.mark.parametrize(
    "url",
    [
        "",
        "/srv/git/billing.git",
        "../billing.git",
        "./a:b",
        "file:///srv/git/billing.git",
        "C:\\repos\\billing.git",
        "C:/repos/billing.git",
        "https://",
        "https://github.com",
        "https://github.com/",
        "https://github.com/.git",
        "https:///acme/billing",
        "https://exa mple/acme/billing",
        "https://[::1]/acme/billing",
        "https://github.com/acme/../other",
        "https://github.com/acme/%2e%2e/other",
        "https://github.com/acme/bil\nling",
        "https://github.com/acme/bil%00ling",
        "https://github.com/" + "a/" * MAX_ID,
        "ext::sh -c whoami",
        "ftp+x://github.com/acme/billing",
        "https://github.com/acme/name?mail=a@b",  # cannot be told from credentials
    ],
)
def test_what_names_no_host_and_repository_has_no_name(url: str) -> None:
    assert origin_id(url) is None


_WORD = st.text("abcdefgh0123456789-", min_size=1, max_size=8).filter(lambda word: word[0] != "-")


@given(
    user=st.text("abcxyz019._-", min_size=1, max_size=8),
    password=st.text("SECRT/:?#@%!$&'()*+,;=~", min_size=1, max_size=12).map(lambda p: f"PW{p}PW"),
    owner=_WORD,
    name=_WORD,
    scheme=st.sampled_from(["https://", "ssh://", "http://", ""]),
)
def test_no_part_of_a_password_ever_becomes_part_of_a_name(
    user: str, password: str, owner: str, name: str, scheme: str
) -> None:
    url = f"{scheme}{user}:{password}@host.example/{owner}/{name}.git"
    found = origin_id(url)
    assert found in (None, f"host.example/{owner}/{name}")


@given(st.text(max_size=400))
def test_any_text_is_answered_with_a_well_formed_name_or_none(url: str) -> None:
    found = origin_id(url)
    assert found is None or (is_project_id(found) and "\n" not in found)


@pytest.mark.parametrize(
    "text",
    [ACME, "billing", "@acme/web", "My Project", "a.b", "x+y", "日本語", "~ann/tool", "a" * MAX_ID],
)
def test_accepts_the_ids_that_projects_have(text: str) -> None:
    assert is_project_id(text)


@pytest.mark.parametrize(
    "text",
    [
        *("", "a" * (MAX_ID + 1), "..", "a/../b", "/a", "a/", "a//b", " a", "a ", "a /b", "a/ b"),
        *("a\nb", "a\x00", "a[b]", "a`b`", "<a>", "-a", "a:b", "a\\b", "a#b"),
    ],
)
def test_refuses_what_is_no_id(text: str) -> None:
    assert not is_project_id(text)


@pytest.mark.parametrize(
    ("project", "answer"),
    [
        (ACME, True),
        ("host.example/tool/x", True),
        ("github.com/acme", False),
        ("acme/billing/web", False),
        ("billing", False),
        (".hidden/a/b", False),
    ],
)
def test_tells_an_id_that_has_the_form_of_an_origin(project: str, answer: bool) -> None:
    assert looks_like_origin(project) is answer
