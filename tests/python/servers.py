"""Servers that tests start for themselves."""
import os
import pwd
import shutil
import subprocess

import pytest


@pytest.fixture(scope="module")
def postgres(tmp_path_factory):
    """A server of Debian's package on a socket of its own."""
    found = sorted(os.path.join(top, "initdb") for top, _, files in os.walk("/usr/lib/postgresql") if "initdb" in files)
    if not found:
        pytest.skip("no PostgreSQL (apt install postgresql)")
    programs, folder = os.path.dirname(found[-1]), tmp_path_factory.mktemp("postgres")
    # The server doesn't run as root.
    user = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
    if user:
        shutil.chown(folder, "postgres")
        for parent in list(folder.parents)[:3]:
            os.chmod(parent, 0o755)
    name = "postgres" if user else pwd.getpwuid(os.geteuid()).pw_name
    run = lambda *words: subprocess.run([*user, *words], check=True, stdout=subprocess.DEVNULL, cwd="/")
    run(f"{programs}/initdb", "-D", f"{folder}/data", "-A", "trust")
    run(f"{programs}/pg_ctl", "-D", f"{folder}/data", "-l", f"{folder}/log", "-w", "-o", f"-k {folder} -c listen_addresses=", "start")
    yield f"postgresql://{name}@/postgres?host={folder}"
    run(f"{programs}/pg_ctl", "-D", f"{folder}/data", "-m", "immediate", "stop")
