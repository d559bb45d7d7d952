"""pytest's plugin: --inflight-chip, --inflight-check, the marker `inflight` and the fixture `inflight_chip`. Inflight is loaded only where it is used.

    @pytest.mark.inflight                                  # all checks; findings fail the test and stand in its report
    @pytest.mark.inflight(check="race", ignore=["memory"])
"""
import pytest


def pytest_addoption(parser):
    group = parser.getgroup("inflight", "Inflight: kernels without a GPU")
    group.addoption("--inflight-chip", metavar="CHIP", help="Triton's and Wave's kernels run on Inflight's model of this chip or device, such as gfx950")
    group.addoption("--inflight-check", metavar="LIST", help="checks of all tests: all, or names with commas; a marker says otherwise")
    group.addoption("--inflight-cuda", action="store_true", help='torch\'s CPU stands for its device "cuda"')


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(early_config):
    """Before a conftest imports what asks for the device as it is imported."""
    chosen = early_config.known_args_namespace
    if chosen.inflight_chip:
        _activate(chosen.inflight_chip, chosen.inflight_cuda)


def pytest_configure(config):
    config.addinivalue_line("markers", "inflight(check='all', ignore=()): launches are checked by Inflight; findings fail the test")
    # A conftest that names the plugin has it after the hook above.
    if config.getoption("--inflight-chip"):
        _activate(config.getoption("--inflight-chip"), config.getoption("--inflight-cuda"))


def _activate(chip, cuda):
    import importlib.util

    import inflight

    inflight.device(chip)
    if importlib.util.find_spec("triton"):
        import inflight.triton

        inflight.triton.activate(chip, cuda)
    if importlib.util.find_spec("wave_lang"):
        import inflight.wave

        inflight.wave.activate(chip, cuda)
    if cuda and importlib.util.find_spec("torch"):
        import inflight.cuda

        inflight.cuda.replace(inflight.device(chip))


@pytest.fixture
def inflight_chip(request):
    """The chip of --inflight-chip, or gfx942."""
    import inflight

    return inflight.device(request.config.getoption("--inflight-chip") or "gfx942")["chip"]


def _checks(item):
    """What a test wants checked, and which findings it doesn't mind."""
    marker = item.get_closest_marker("inflight")
    if marker is None:
        return item.config.getoption("--inflight-check"), ()
    unknown = set(marker.kwargs) - {"check", "ignore"}
    if unknown or len(marker.args) > 1:
        raise pytest.UsageError(f"{item.nodeid}: the marker `inflight` takes check= and ignore=, not {', '.join(sorted(unknown)) or marker.args}")
    return marker.args[0] if marker.args else marker.kwargs.get("check", "all"), marker.kwargs.get("ignore", ())


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_call(item):
    checks, ignore = _checks(item)
    if not checks:
        yield
        return
    import inflight

    with inflight.check(checks, ignore=ignore, raises=False) as found:
        outcome = yield
    if not found.findings:
        return
    item.add_report_section("call", "inflight findings", "\n".join(map(str, found.findings)))
    if outcome.excinfo is None:
        error = inflight.FindingsError(found.findings)
        if hasattr(outcome, "force_exception"):
            outcome.force_exception(error)
        else:  # pluggy before 1.1
            outcome._excinfo = (type(error), error, None)
