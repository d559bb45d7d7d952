"""The tools. Answers hold what docs/json.md says, under "result"."""
import functools
import json
import re
from typing import Annotated, Any, Literal, Optional, Union

from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from pydantic import Field

from .bounded import Refused, shortened
from .tuning import Tuning, choices_of, compile_options, filled, size

Chip = Annotated[Literal["gfx90a", "gfx942", "gfx950"], Field(description="CDNA2 (MI200), CDNA3 (MI300), CDNA4 (MI350)")]
File = Annotated[str, Field(description="a file in the working folder")]
Output = Annotated[str, Field(description="the file in the working folder that is written")]
Code = Annotated[str, Field(description="a code object (.hsaco) in the working folder")]
Arguments = Annotated[list[str], Field(description="the kernel's arguments in order: random:SHAPE:TYPE:SEED, zeros:SHAPE:TYPE, arange:SHAPE:TYPE, TYPE:VALUE or FILE.npy; "
                                                   "a shape is 1000 or 64x128, a type f32, f16, bf16, i32 or u32, ...")]
Sizes = Annotated[list[int], Field(min_length=1, max_length=3)]
Value = Union[bool, int, str]
Expression = Annotated[Union[int, str], Field(description="a number, or what makes it of parameters: \"1024 // tile\"")]
Expressions = Annotated[list[Expression], Field(min_length=1, max_length=3)]
Block = Annotated[Optional[Sizes], Field(description="lanes of a workgroup; not needed where the kernel requires a size")]
Kernel = Annotated[Optional[str], Field(description="which kernel; not needed if there is one")]
Lds = Annotated[int, Field(ge=0, description="bytes of dynamic LDS")]
Expected = Annotated[dict[int, str], Field(description="argument's number to FILE.npy[,RTOL,ATOL] that it has to be afterwards")]
Sample = Annotated[int, Field(ge=0, description="simulate so many workgroups per compute unit, and no more; 0: all of a compute unit's")]

INSTRUCTIONS = """Kernels of AMD Instinct GPUs (gfx90a, gfx942, gfx950) compiled, verified, run, checked and timed on a model of the chip: no GPU is there or needed.
Files are named relative to one working folder. First write_file a kernel: MLIR (gpu, arith, memref, vector, scf dialects) for compile, AMDGCN assembly for assemble; or take
a code object that is there. verify finds missing waits without a run, run with checks finds races and bad accesses, time counts cycles, trace says where they go,
advise what would help and by how much. Times are the model's: compare them with each other."""


def launch_options(workshop, kernel, grid, block, args, lds):
    words = ["--grid=" + ",".join(map(str, grid))]
    words += ["--block=" + ",".join(map(str, block))] if block else []
    words += [f"--kernel={kernel}"] if kernel else []
    words += [f"--lds={lds}"] if lds else []
    for one in args:
        file = re.fullmatch(r"(.*\.npy)(:\w+)?", one, re.S)
        if ".npy" in one and not file:
            raise Refused(f"'{one}' is neither FILE.npy nor FILE.npy:TYPE")
        words.append("--arg=" + (workshop.path(file[1]) + (file[2] or "") if file else one))
    return words


def expected(workshop, expect):
    words = []
    for number, name in expect.items():
        file, comma, rest = name.partition(",")
        words.append(f"--expect={number}={workshop.path(file)}{comma}{rest}")
    return words


def cost(instruction):
    return max(instruction["cycles"], instruction.get("memory", {}).get("busy_cycles", 0))


def message_of(done):
    lines = [line for line in done.err.splitlines() if line.strip()]
    return "\n".join(lines[:20]) or f"no message; status {done.status}"


def serve(workshop):
    made(workshop).run()


def made(workshop):
    server = MCPServer("inflight", instructions=INSTRUCTIONS)

    def tool(function):
        @functools.wraps(function)
        async def bounded(**named):
            try:
                return await function(**named)
            except Refused as refusal:
                raise ToolError(str(refusal)) from None

        return server.tool()(bounded)

    def fitted(answer):
        """With lists as long as an answer may be."""
        short, left = shortened(answer, workshop.limits.answer)
        return {**short, **({"left_off": left} if left else {})}

    async def printed(*words):
        """What a verb did, and the JSON that it printed. A verb that found something has status 1."""
        done = await workshop.run(*words)
        if done.status not in (0, 1) or not done.out:
            raise Refused(message_of(done))
        return done, json.loads(done.out)

    async def asked(*words):
        done, found = await printed(*words)
        return fitted({"status": done.status, "result": found})

    async def written(output, *words):
        """What is in the code object that a verb writes."""
        done = await workshop.run(*words)
        if done.status:
            raise Refused(message_of(done))
        return {"file": output, **await asked("info", "--format=json", output)}

    @tool
    async def write_file(name: Output, text: str) -> dict[str, Any]:
        """Writes a text file into the working folder: a kernel's source, or an edited one."""
        return workshop.write(name, text)

    @tool
    async def read_file(name: File, first: Annotated[int, Field(ge=1)] = 1, count: Annotated[int, Field(ge=1)] = 400) -> dict[str, Any]:
        """Lines of a text file in the working folder, from `first` on."""
        return workshop.read(name, first, count)

    @tool
    async def list_files() -> dict[str, Any]:
        """The files of the working folder."""
        return fitted(workshop.list())

    @tool
    async def compile(source: File, output: Output, chip: Chip = "gfx942", stages: Annotated[int, Field(ge=0, le=4)] = 0,
                      min_waves: Annotated[int, Field(ge=0, le=10)] = 0, async_copies: bool = True, ping_pong: bool = False, lines: bool = True) -> dict[str, Any]:
        """Compiles an MLIR kernel to a code object and says what is in it: registers, LDS, occupancy, arguments. `stages`: buffers of each tile that is copied
        ahead (0: as many as pay); `min_waves`: waves that a SIMD must hold (bounds registers); `lines`: findings and reports name the source's lines."""
        options = compile_options(stages, min_waves, async_copies, ping_pong) + (["-g"] if lines else [])
        output = workshop.path(output, is_there=False)
        return await written(output, "compile", f"-mcpu={chip}", *options, workshop.path(source), "-o", output)

    @tool
    async def assemble(source: File, output: Output, chip: Optional[Chip] = None) -> dict[str, Any]:
        """Assembles AMDGCN assembly to a code object whose findings name the assembly's lines. Without `chip` what .amdgcn_target says."""
        output = workshop.path(output, is_there=False)
        return await written(output, "asm", "-g", *([f"-mcpu={chip}"] if chip else []), workshop.path(source), "-o", output)

    @tool
    async def disassemble(code: Code, output: Output) -> dict[str, Any]:
        """Writes a code object's assembly, which `assemble` takes again; read_file shows it."""
        output = workshop.path(output, is_there=False)
        done = await workshop.run("dis", workshop.path(code), "-o", output)
        if done.status:
            raise Refused(message_of(done))
        return {"file": output, "lines": workshop.read(output, 1, 1)["lines"]}

    @tool
    async def info(code: Code) -> dict[str, Any]:
        """The kernels of a file: arguments, launch bounds, registers, LDS, occupancy."""
        return await asked("info", "--format=json", workshop.path(code))

    @tool
    async def verify(file: File, chip: Optional[Chip] = None, explain: bool = False, hazards: bool = False) -> dict[str, Any]:
        """Finds missing s_waitcnt in assembly or a code object without running it; status 1: there are some. `explain`: instead what each wait waits for, how weak it
        could be and why; `hazards`: the same for wait states between instructions (s_nop). An edit that a finding's `hint` names mends it."""
        options = (["--report"] if explain else []) + (["--hazards"] if hazards else []) + ([f"-mcpu={chip}"] if chip else [])
        return await asked("waits", "--format=json", *options, workshop.path(file))

    @tool
    async def mend_waits(source: File, output: Output, how: Literal["insert", "relax"] = "insert", chip: Optional[Chip] = None) -> dict[str, Any]:
        """Writes a program with the weakest sound waits whatever it has (insert), or with none stricter than needed (relax), and says which changed."""
        inside, output = workshop.path(source), workshop.path(output, is_there=False)
        done = await workshop.run("waits", f"--{how}", *([f"-mcpu={chip}"] if chip else []), inside, "-o", output)
        if done.status:
            raise Refused(message_of(done))
        return {"file": output, **await asked("waits", "--diff", "--format=json", inside, output)}

    @tool
    async def run(code: Code, grid: Sizes, args: Arguments, block: Block = None, kernel: Kernel = None, lds: Lds = 0, check: str = "all",
                  expect: Expected = {},
                  out: Annotated[dict[int, str], Field(description="argument's number to FILE.npy that it is written to")] = {}) -> dict[str, Any]:
        """Runs a kernel, every instruction, with checks: missing waits, races in LDS and memory, bad accesses, uninitialised values, barriers, hazards. Status 1: something
        was found, or an argument isn't what was expected: `messages` says where."""
        options = launch_options(workshop, kernel, grid, block, args, lds) + expected(workshop, expect)
        options += [f"--out={number}={workshop.path(name, is_there=False)}" for number, name in out.items()]
        done, found = await printed("run", f"--check={check}", "--format=json", "--sources=.", *options, workshop.path(code))
        messages = done.err.splitlines()
        return fitted({"status": done.status, "result": found, **({"messages": messages} if messages else {})})

    @tool
    async def time(code: Code, grid: Sizes, args: Arguments, block: Block = None, kernel: Kernel = None, lds: Lds = 0, device: Optional[str] = None, sample: Sample = 0,
                   warm: bool = False) -> dict[str, Any]:
        """What a launch takes on the timed model: microseconds, cycles, rates, occupancy, and how sure the time is. `device`: MI300X, MI325X, MI355X, ...; `warm`: its data
        is in the caches, as benchmarks have it that repeat a launch. `sample` keeps large grids short."""
        return await asked("run", "--timed", "--format=json", *timed_options(device, sample, warm), *launch_options(workshop, kernel, grid, block, args, lds), workshop.path(code))

    @tool
    async def trace(code: Code, grid: Sizes, args: Arguments, block: Block = None, kernel: Kernel = None, lds: Lds = 0, device: Optional[str] = None, sample: Sample = 0,
                    warm: bool = False, top: Annotated[int, Field(ge=1, le=100)] = 10) -> dict[str, Any]:
        """Where a launch's time goes on the timed model: by cause, pipe, loop and instruction, with bank conflicts of LDS (conflict_cycles) and what each wait waited for.
        `code` of the answer is the `top` instructions that held up waves or kept memory busy longest."""
        done, found = await printed("trace", "--report=json", *timed_options(device, sample, warm), *launch_options(workshop, kernel, grid, block, args, lds), workshop.path(code))
        found["code"] = sorted(found["code"], key=cost, reverse=True)[:top]
        return fitted({"status": done.status, "result": found})

    @tool
    async def advise(code: Code, grid: Sizes, args: Arguments, block: Block = None, kernel: Kernel = None, lds: Lds = 0, device: Optional[str] = None, sample: Sample = 0,
                     warm: bool = False) -> dict[str, Any]:
        """What would make a launch faster and by how much, each change tried on the timed model: waits, bank conflicts, occupancy, order of loads."""
        return await asked("advise", "--format=json", *timed_options(device, sample, warm), *launch_options(workshop, kernel, grid, block, args, lds), workshop.path(code))

    @tool
    async def tune(source: Annotated[str, Field(description="MLIR, assembly or a code object in the working folder; its name and its text may have parameters as ${NAME}")],
                   grid: Expressions, args: Arguments,
                   parameters: Annotated[dict[str, list[Value]], Field(description="each parameter's values; `stages`, `min_waves`, `async_copies` and `ping_pong` are compile's")] = {},
                   choices: Annotated[list[dict[str, Value]], Field(description="instead of `parameters`: which choices there are, each a value of every parameter")] = [],
                   block: Optional[Expressions] = None, kernel: Kernel = None, lds: Expression = 0, chip: Chip = "gfx942", device: Optional[str] = None, sample: Sample = 2, warm: bool = False, check: bool = True, expect: Expected = {},
                   output: Optional[Output] = None) -> dict[str, Any]:
        """Tries each choice of a kernel's parameters, at most 256, on the timed model: the fastest first, with what is wrong with those that fail. The fastest is run with
        all checks, or the next where that finds something or an argument isn't what was expected; `output` gets its code object. `args` may have ${NAME}, too. Those that time doesn't suffice for are counted in `left`."""
        choices = choices_of(parameters, choices)
        output = output and workshop.path(output, is_there=False)

        def launch(choice):
            sizes = [[size(one, choice) for one in many] for many in (grid, block or [])]
            return launch_options(workshop, kernel, *sizes, [filled(one, choice) for one in args], size(lds, choice, least=0))

        tuning = Tuning(workshop, source, chip, launch, timed_options(device, sample, warm), ["--check=all", *expected(workshop, expect)] if check else [], message_of)
        best, trials = await tuning.search(choices, output)
        for trial in trials:
            trial.pop("code", None)  # gone, or where it was
        return fitted({"status": 0 if best else 1, "result": {"choices": len(choices), "left": len(choices) - len(trials), "best": best, "trials": trials},
                       **({"file": output} if best and output else {})})

    @tool
    async def diff(old: Code, new: Code) -> dict[str, Any]:
        """Compares the kernels of two code objects: registers, spills, occupancy, waits, what loops take."""
        return await asked("diff", "--format=json", workshop.path(old), workshop.path(new))

    @tool
    async def explain(word: Annotated[str, Field(pattern=r"^[A-Za-z][A-Za-z0-9_.-]{0,63}$", description="a finding's rule, a mnemonic or a counter")],
                      chip: Optional[Chip] = None) -> dict[str, Any]:
        """What a rule of findings, a mnemonic or a counter means: a wrong and a right example of the rule; the operation, counters and times of the instruction with their sources."""
        done = await workshop.run("explain", word, *([f"-mcpu={chip}"] if chip else []))
        if done.status:
            raise Refused(message_of(done))
        return fitted({"lines": done.out.splitlines()})

    return server


def timed_options(device, sample, warm):
    return ([f"--device={device}"] if device else []) + ([f"--sample={sample}"] if sample else []) + (["--warm"] if warm else [])
