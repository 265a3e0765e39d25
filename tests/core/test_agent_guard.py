"""Which tool calls of an agent are stopped, and what the model is told."""

from __future__ import annotations

import posixpath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.core.agent_guard import OUR_TOOLS, Protected, can_write, reason_to_block
from vaultmem.core.agent_paths import (
    MAX_FOLDERS,
    MAX_NESTED,
    MAX_PATH,
    MAX_PATTERN,
    MAX_VALUES,
    MAX_WORDS,
    may_be,
)
from vaultmem.core.agent_verbs import PERSON_OPTIONS, PERSON_VERBS, Refused, Why, refused
from vaultmem.core.shell import commands

HOME = "/home/ann"
PLACES = Protected(
    memory=("/home/ann/vault/Memory", "/srv/other/Gedächtnis"),
    private=("/home/ann/.config/vaultmem", "/home/ann/.local/state/vaultmem"),
    extension=("/home/ann/.config/vaultmem/pi",),
    host=("/home/ann/.pi/agent/settings.json",),
    spelled=(
        ("~/.pi/agent/settings.json", "/home/ann/.pi/agent/settings.json"),
        ("~/vault/Memory", "/home/ann/vault/Memory"),
        ("$HOME/vault/Memory", "/home/ann/vault/Memory"),
        ("/data/vault/Memory", "/home/ann/vault/Memory"),
    ),
)
LINKS = {
    "/home/ann/code/link": "/home/ann/vault",
    "/home/ann/code/deep": "/home/ann/vault/Memory/Lessons",
}


def _real(path):
    path = posixpath.normpath(path)
    for link, target in LINKS.items():
        if path == link or path.startswith(f"{link}/"):
            return target + path[len(link) :]
    return path


def _reason(tool, arguments, cwd="/home/ann/code"):
    return reason_to_block(
        PLACES,
        tool,
        arguments,
        cwd=cwd,
        variables={"HOME": HOME, "VAULT": "/home/ann/vault"},
        real=_real,
    )


def _bash(command, cwd="/home/ann/code"):
    return _reason("bash", {"command": command}, cwd)


@pytest.mark.parametrize(
    "command",
    [
        "sed -i s/a/b/ /home/ann/vault/Memory/Lessons/x.md",
        "cat /home/ann/vault/Memory",
        "cat '/home/ann/vault/Memory/a b.md'",
        "cat /home/ann/vault/mem''ory/x.md",
        "cat /HOME/ANN/VAULT/MEMORY/X.MD",
        "cat ~/vault/Memory/x.md",
        "cat $HOME/vault/Memory/x.md",
        'cat "${VAULT}/Memory/x.md"',
        "V=/home/ann/vault; cat $V/Memory/x.md",
        "V=/home/ann/vault/Memory make",
        "cat ../vault/Memory/x.md",
        "cat ./x/../../vault/./Memory//x.md",
        "cd ../vault && cat Memory/x.md",
        "cd /home/ann; cd vault; echo x > Memory/x.md",
        "pushd ~/vault; rm Memory",
        "git -C ~/vault checkout Memory/x.md",
        "make --directory=/home/ann/vault Memory/x.md",
        "tar --directory ~/vault -xf a.tar Memory",
        "echo x >/home/ann/vault/Memory/x.md",
        "echo x 2>> ~/vault/Memory/x.md",
        "cat < link/Memory/x.md",
        "cat deep/x.md",
        "ls link/Memory",
        "dd if=a of=/home/ann/vault/Memory/x.md",
        "curl -d @/home/ann/vault/Memory/x.md h",
        "gcc -I/home/ann/vault/Memory x.c",
        "scp host:/home/ann/vault/Memory/x.md .",
        "rsync a:b,/home/ann/vault/Memory/x c",
        "open file:///home/ann/vault/Memory/a%20b.md",
        "cat /home/ann/vault/M*/x.md",
        "cat /home/ann/vault/[M]emory/x.md",
        "cat /home/ann/vault/{Memory,Notes}/x.md",
        "cat ~/vault/**/x.md",
        "cat link/Mem?ry/x.md",
        "ls /home/ann/vault/*",
        "bash -c 'cat ~/vault/Memory/x.md'",
        "echo $(cat ~/vault/Memory/x.md)",
        "python -c \"open('/home/ann/vault/Memory/x.md', 'w')\"",
        "python -c \"open('/data/vault/Memory/x.md', 'w')\"",
        "python -c \"open('../vault/Memory/x.md', 'w')\"",
        "python - <<E\nopen('/home/ann/vault/Memory/x.md')\nE",
        "node -e 'fs.readFileSync(`${process.env.HOME}/vault/Memory`)' # ~/vault/Memory",
        "cat /srv/other/gedächtnis/x.md",
        "cat /srv/other/Geda\u0308chtnis/x.md",
        "rm -rf ~/vault",
        "rm -r ../vault",
        "sudo rm -rf /home/ann",
        "mv ~/vault /tmp/",
        "chmod -R 777 /home",
        "find ~/vault -name x.md -delete",
        "find .. -exec sed -i s/a/b/ {} +",
        "git mv ../vault x y",
    ],
)
def test_a_command_that_names_the_memory_is_stopped(command):
    reason = _bash(command)
    assert reason is not None
    assert "memory_search" in reason
    assert "memory_edit" in reason


@pytest.mark.parametrize(
    ("command", "cwd"),
    [
        ("cat Memory/x.md", "/home/ann/vault"),
        ("rm -rf *", "/home/ann/vault"),
        ("sed -i s/a/b/ *.md", "/home/ann/vault/Memory/Lessons"),
        ("cat x.md", "/home/ann/vault/Memory"),
        ("echo y > x", "/home/ann/vault/Memory"),
        ("cat ../Lessons/x.md", "/home/ann/vault/Memory/Inbox"),
        ("python -c \"open('Memory/x.md', 'w')\"", "/home/ann/vault"),
        ("python -c \"open('./Memory/x.md', 'w')\"", "/home/ann/vault"),
        ("python -c \"open('vault/Memory/x.md')\"", "/home/ann"),
        ("git checkout -- memory", "/home/ann/vault"),
    ],
)
def test_a_command_in_the_vault_is_stopped_where_it_names_the_memory(command, cwd):
    assert "memory_search" in _bash(command, cwd)


@pytest.mark.parametrize(
    ("command", "cwd"),
    [
        ("ls", "/home/ann/vault/Memory"),
        ("git status", "/home/ann/vault/Memory"),
        ("ls -la; git log", "/home/ann/vault"),
        ("ls ..", "/home/ann/code"),
        ("grep -rn memory src", "/home/ann/code"),
        ("ls ~ ~/vault /home /", "/home/ann/code"),
        ("cat ~/vault/Notes/x.md", "/home/ann/code"),
        ("cat ~/vault/Memory2/x.md /home/ann/vault/Memory.bak/x.md", "/home/ann/code"),
        ("cat ~/vault/Memory-old/x", "/home/ann/code"),
        ("cat /x/home/ann/vault/Memory", "/home/ann/code"),
        ("echo 'see /home/ann/vault/Memory2'", "/home/ann/code"),
        ("curl https://example.org/home/ann/vault/Memory2", "/home/ann/code"),
        ("rm -rf build", "/home/ann/code"),
        ("rm ../vault", "/home/ann/code"),
        ("mv a.md ~/vault", "/home/ann/code"),
        ("mv -t ~/vault a.md", "/home/ann/code"),
        ("chmod 700 ~", "/home/ann/code"),
        ("find ~ -name x", "/home/ann/code"),
        ("find src -name x -delete", "/home/ann/code"),
        ("cat docs/memory/x.md", "/home/ann/vault"),
        ("rm -rf Notes/*", "/home/ann/vault"),
        ("cat ~bob/vault/Memory2", "/home/ann/code"),
        ("npm test -- --grep=Memory", "/home/ann/code"),
        ("", "/home/ann/code"),
        ("cat <<E > x.md\nabout memory\nE", "/home/ann/code"),
        ("cat x=", "/home/ann/code"),
        ("curl 'https://example.org/x'", "/home/ann/code"),
        ("cat ''; open file:///tmp/x", "/home/ann/code"),
        (f"cat {'x' * (MAX_PATH + 1)} 'a\nb'", "/home/ann/code"),
    ],
)
def test_other_work_goes_on(command, cwd):
    assert _bash(command, cwd) is None


@pytest.mark.parametrize(
    ("command", "told"),
    [
        ("cat ~/.config/vaultmem/config.yaml", "keeps for itself"),
        ("cat ~/.local/state/vaultmem/vault_x/key", "keeps for itself"),
        ("rm -rf ~/.config", "extension"),
        ("sed -i s/a/b/ ~/.config/vaultmem/pi/extensions/vaultmem.ts", "extension"),
    ],
)
def test_what_belongs_to_this_machine_is_named_as_such(command, told):
    assert told in _bash(command)


def test_a_long_command_is_looked_at_to_its_end_as_a_text():
    names = "cat " + "x " * (MAX_WORDS + 1)
    assert "memory_search" in _bash(names + "/home/ann/vault/Memory/x.md")
    assert _bash(names + "../vault/./Memory/x.md") is None, "only so many words are looked up"


def test_only_so_many_folders_are_followed():
    steps = "".join(f"cd /x{number}; " for number in range(MAX_FOLDERS))
    assert _bash(steps + "cd ~/vault; cat M*/x.md") is None
    assert _bash("cd /; " * 99 + "cd ~/vault; cat M*/x.md") is not None


FILE = "/home/ann/vault/Memory/Identity/x.md"


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("write", {"path": FILE, "content": "x"}),
        ("write", {"path": "~/vault/Memory/x.md", "content": "x"}),
        ("edit", {"path": "../vault/memory/x.md", "edits": []}),
        ("edit", {"path": "link/Memory/x.md"}),
        ("multi_edit", {"edits": [{"path": "x.md"}, {"path": "link/Memory/x.md"}]}),
        ("grep", {"pattern": "x", "path": FILE}),
        ("find", {"path": "deep"}),
        ("ls", {"path": "/home/ann/vault/Memory"}),
        ("mcp__files__write", {"file_path": FILE, "text": "x"}),
        ("other", {"uri": "file:///home/ann/vault/Memory/a%20b.md"}),
        ("other", {"anything": FILE}),
        ("other", {"items": [{"where": [FILE]}]}),
        ("other", {"files": ["../vault/Memory/x.md"]}),
        ("other", {"Path": "deep\\x.md"}),
        ("shell", {"command": "cat ~/vault/Memory/x.md"}),
        ("shell", {"command": ["sed", "-i", "s/a/b/", "/home/ann/vault/Memory/it's.md"]}),
        ("exec", {"cmd": "ls", "cwd": "/home/ann/vault/Memory"}),
    ],
)
def test_a_tool_that_names_the_memory_is_stopped(tool, arguments):
    assert f"`{tool}`" in _reason(tool, arguments)


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("read", {"path": FILE}),
        ("write", {"path": "/home/ann/vault/Notes/x.md", "content": FILE}),
        ("write", {"path": "x.md", "content": "a\n/home/ann/vault/Memory"}),
        ("edit", {"path": "x.md", "edits": [{"oldText": FILE, "newText": FILE}]}),
        ("grep", {"pattern": "x", "path": "."}),
        ("grep", {"pattern": "Memory"}),
        ("other", {"path": "", "count": 3, "flag": None, "q": "Memory"}),
        ("other", {"note": f"a\n{FILE}"}),
        ("other", {"command": 3}),
        *((tool, {"path": "Memory/x.md", "text": FILE, "id": FILE}) for tool in sorted(OUR_TOOLS)),
    ],
)
def test_a_tool_that_reads_a_note_or_works_elsewhere_goes_on(tool, arguments):
    assert _reason(tool, arguments) is None


@pytest.mark.parametrize("tool", ["read", "write", "grep"])
def test_no_tool_reads_what_is_kept_for_ourselves(tool):
    assert "keeps for itself" in _reason(tool, {"path": "~/.local/state/vaultmem/x/key"})


def test_an_input_that_has_no_end_is_looked_at_to_a_limit():
    deep: object = FILE
    for _ in range(MAX_NESTED + 2):
        deep = {"x": deep}
    assert _reason("other", {"x": deep}) is None
    assert _reason("other", {"x": ["a"] * MAX_VALUES + [FILE]}) is None


PERSONS = sorted(PERSON_VERBS) + [
    f"{verb} {one}" for verb, more in PERSON_OPTIONS.items() for one in more
]


@pytest.mark.parametrize("verb", PERSONS)
def test_every_verb_of_a_person_is_stopped(verb):
    assert refused(commands(f"vaultmem {verb} X")) == Refused(Why.PERSON, verb)


@pytest.mark.parametrize("verb", ["ratify", "inbox approve", "doctor --fix"])
@pytest.mark.parametrize(
    "form",
    [
        "vaultmem {}",
        "/opt/venv/bin/vaultmem --vault /v {} X",
        "vaultmem --vault=/v {} X --yes",
        "python3 -m vaultmem {}",
        "python -Im vaultmem {}",
        "python -mvaultmem {}",
        "uvx vaultmem@latest {}",
        "cd /v && nohup VaultMem.exe {} &",
        "yes | vault''mem {}",
        "env -u AI_AGENT -u PI_CODING_AGENT vaultmem {}",
        "bash -c 'vaultmem {}'",
        "echo 'vaultmem {}' | sh",
        "x=$(vaultmem {})",
        "python /opt/vaultmem/__main__.py {}",
        "python -m vaultmem.cli.main {}",
        "/opt/bin/vaultme? {}",
        "vaultmem {} -- --help",
    ],
)
def test_a_persons_verb_is_stopped_however_it_is_called(verb, form):
    found = refused(commands(form.format(verb)))
    assert found == Refused(Why.PERSON, verb)
    assert f"`vaultmem {verb}` is for the person." in _bash(form.format(verb))


@pytest.mark.parametrize(
    ("command", "advice"),
    [
        ("vaultmem edit X", "memory_edit"),
        ("vaultmem pin X", "memory_edit"),
        ("vaultmem forget X", "memory_remove"),
        ("vaultmem inbox approve X", "/memory"),
        ("vaultmem patch apply X", "/memory"),
        ("vaultmem ratify X", "terminal of their own"),
        ("vaultmem key export", "terminal of their own"),
    ],
)
def test_what_the_model_can_do_instead_is_said(command, advice):
    assert advice in _bash(command)


@pytest.mark.parametrize(
    "command",
    [
        "vaultmem serve",
        "vaultmem hook tool_call < x",
        "python -I -m vaultmem serve",
        "python -m vaultmem.hooks.command",
    ],
)
def test_the_helpers_of_the_extension_are_not_run_by_the_agent(command):
    assert "never by the agent itself" in _bash(command)


@pytest.mark.parametrize(
    "command",
    [
        "env -u AI_AGENT vaultmem search x",
        "env --unset=AI_AGENT vaultmem search x",
        "env -uPI_CODING_AGENT vaultmem search x",
        "env -i vaultmem search x",
        "AI_AGENT= PI_CODING_AGENT= vaultmem search x",
        "unset AI_AGENT; vaultmem search x",
        "export AI_AGENT=; vaultmem search x",
        "sudo -u ann vaultmem search x",
        "ssh localhost vaultmem search x",
        "ssh localhost '/opt/vaultmem search x'",
        "su ann -c 'vaultmem search x'",
    ],
)
def test_a_command_that_hides_the_agent_is_stopped(command):
    assert "has to know that an agent calls" in _bash(command)


@pytest.mark.parametrize(
    "command",
    [
        "python -c 'from vaultmem.cli.main import main; main([\"ratify\"])'",
        "python3.12 <<E\nimport vaultmem\nE",
        "python -c 'import runpy; runpy.run_module(\"vaultmem\")'",
    ],
)
def test_vaultmem_is_not_used_from_python(command):
    assert "not used from Python" in _bash(command)


@pytest.mark.parametrize(
    "command",
    [
        "vaultmem search 'how to ratify'",
        "vaultmem search approve",
        "vaultmem add 'Never edit by hand.' --category lesson",
        "vaultmem --vault ratify search x",
        "vaultmem inbox list",
        "vaultmem inbox",
        "vaultmem doctor",
        "vaultmem sync",
        "vaultmem report --project x",
        "vaultmem --help",
        "vaultmem ratify --help",
        "vaultmem ratify -h",
        "vaultmem",
        "vaultmem show Rule",
        "python -m vaultmem search x",
        "pip install vaultmem",
        "git add vaultmem docs",
        "cd vaultmem && ls",
        "grep -rn vaultmem src",
        "git commit -m 'run vaultmem ratify'",
        "echo AI_AGENT",
        "env AI_AGENT=x make",
        "env -i make",
        "sudo make install",
        "python -c 'print(1)'",
        "python -m vaultmemory ratify",
        "python -m pytest tests",
        "cat vaultmem.md",
    ],
)
def test_what_an_agent_may_run_passes(command):
    assert _bash(command) is None


@pytest.mark.parametrize(
    ("tool", "writes"),
    [("bash", True), ("write", True), ("edit", True), ("mcp__x", True), ("", True), ("read", False),
     ("grep", False), ("ls", False), ("find", False), ("memory_add", False), ("scratchpad", False)],
)  # fmt: skip
def test_every_tool_may_write_but_those_that_are_known_to_read_or_are_ours(tool, writes):
    assert can_write(tool) is writes


def test_a_reason_shows_a_place_without_what_could_act():
    odd = Protected(memory=("/v/<system>\u202e%%x%%",))
    reason = reason_to_block(
        odd,
        "bash",
        {"command": "cat '/v/<system>\u202e%%x%%/a'"},
        cwd="/",
        variables={},
        real=_real,
    )
    assert "<system>" not in reason
    assert "\u202e" not in reason


def test_nothing_is_protected_where_nothing_is_known():
    assert (
        reason_to_block(
            Protected(), "bash", {"command": "cat ~/x"}, cwd="/", variables={}, real=_real
        )
        is None
    )


@given(st.text(alphabet="ab /~$.*'\"\\\n;|&<>(){}=:-@MemoryvaultHOME"))
def test_any_command_gets_an_answer(command):
    assert (
        _bash(command) is None or "Use memory_search" in _bash(command) or "keeps" in _bash(command)
    )


@given(
    st.recursive(
        st.none() | st.text() | st.integers(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    )
)
def test_any_input_gets_an_answer(value):
    _reason("other", {"path": value, "x": value, "command": value})


def test_a_pattern_that_takes_long_to_understand_may_stand_for_anything():
    assert not may_be("vault", "[" * MAX_PATTERN)
    assert may_be("vault", "[" * (MAX_PATTERN + 1))
    assert "person" in _reason("bash", {"command": f"{'[' * 20_000} ratify X"})
    assert "memory" in _reason("bash", {"command": f"rm -r ../{'[' * 300}/Memory"})


@pytest.mark.parametrize(
    "command",
    [
        "pi remove /home/ann/.config/vaultmem/p*",
        "pi uninstall npm:x",
        "pi install -l npm:x",
        "/usr/bin/pi config",
        "env -u AI_AGENT pi --approve remove x",
        "npx @earendil-works/pi-coding-agent remove x",
        "bash -c 'cd /tmp; pi remove x'",
    ],
)
def test_what_the_agent_loads_is_changed_by_the_person(command):
    assert "what this agent loads" in _bash(command)


@pytest.mark.parametrize(
    "command", ["pi --version", "pi list", "pip install x", "pi -p 'hello'", "grep -rn pi remove ."]
)
def test_other_commands_of_the_agent_and_others_run(command):
    assert _bash(command) is None


@pytest.mark.parametrize(
    "command",
    [
        "rm ~/.pi/agent/settings.json",
        "cd ~/.pi/agent && echo x > settings.json",
        "rm -rf /home/ann/.pi",
        "mv ../.pi/agent /tmp/x",
        "python -c \"open('/home/ann/.pi/agent/settings.json', 'w')\"",
    ],
)
def test_the_agents_settings_which_list_the_extension_are_left_alone(command):
    assert "lists the extension" in _bash(command)


def test_the_agents_settings_may_be_read_and_not_written():
    path = {"path": "/home/ann/.pi/agent/settings.json"}
    assert _reason("read", path) is None
    assert "lists the extension" in _reason("edit", path)
    assert _reason("write", {"path": "/home/ann/.pi/agent/themes/dark.json"}) is None
    assert _bash("ls ~/.pi/agent/sessions") is None
