"""What the GEMM kernels of plain.py do with their sums: a factor, bias, activation, conversion, stores or atomic additions."""

# x / (1 + exp(-y)): y as a polynomial of x. Of gelu, the approximation by tanh.
ACTIVATIONS = {"relu": None, "silu": (1.0,), "gelu": (1.5957691216057308, 0.07135481283)}
SUMS = "vector<4xf32>"


class Results:
    """`result`: the type of C. `turned`: a lane has four columns of a row of C, and stores them at once; else four rows of a
    column. `adds`: to C, by atomics. `alpha`: results are multiplied by an argument; `bias`: a value for each column is added to them."""

    def __init__(self, result, turned, adds, alpha=False, bias=False, activation=None):
        if adds and (alpha or bias or activation or result != "f32"):
            raise ValueError("sums of parts of K are added as they are, to f32")
        self.result, self.turned, self.adds, self.alpha, self.bias, self.activation = result, turned, adds, alpha, bias, activation

    def arguments(self, columns):
        """After A, B and C."""
        bias = [f"%bias: memref<{'?' if columns is None else columns}x{self.result}> {{llvm.noalias}}"] if self.bias else []
        return bias + (["%alpha: f32"] if self.alpha else [])

    def splat(self, value):
        return f"arith.constant dense<{value}> : {SUMS}"

    def prepare(self, columns):
        """What all sums need; `columns`: the first of each four."""
        if self.alpha:
            self.w(f"%alphas = vector.broadcast %alpha : f32 to {SUMS}")
        for i, factor in enumerate(ACTIVATIONS.get(self.activation) or ()):
            self.w(f"%factor{i} = {self.splat(-factor)}")
        if self.activation:
            self.w(f"%none = {self.splat(0.0)}" if self.activation == "relu" else f"%one = {self.splat(1.0)}")
        for j in columns if self.bias else ():
            self.load_bias(j)

    def load_bias(self, j):
        columns = self.size[1]
        memory, type = f"memref<{'?' if columns is None else columns}x{self.result}>", f"vector<{4 if self.turned else 1}x{self.result}>"
        load = f"vector.load %bias[%oc_{j}] : {memory}, {type}"
        if self.cuts_fours():
            self.mask(j, "bias")
            self.w(f"%nothing{j} = arith.constant dense<0.0> : {type}")
            load = f"vector.maskedload %bias[%oc_{j}], %mask{j}_bias, %nothing{j} : {memory}, vector<4xi1>, {type} into {type}"
        if self.edges[1]:
            self.w(f"%in_bias{j} = arith.cmpi ult, %oc_{j}, {self.c(columns)} : index")
            self.w(f"%loaded{j} = scf.if %in_bias{j} -> {type} {{")
            self.w(f"  %inner{j} = {load}")
            self.w(f"  scf.yield %inner{j} : {type}")
            self.w("} else {")
            self.w(f"  %none{j} = arith.constant dense<0.0> : {type}")
            self.w(f"  scf.yield %none{j} : {type}")
            self.w("}")
        else:
            self.w(f"%loaded{j} = {load}")
        value, f32 = f"%loaded{j}", type.replace(self.result, "f32")
        if self.result != "f32":
            value = f"%wide{j}"
            self.w(f"{value} = arith.extf %loaded{j} : {type} to {f32}")
        self.w(f"%bias{j} = vector.broadcast {value} : {f32} to {SUMS}")

    def apply(self, i, j, value):
        """Factor, bias and activation of the sums of fragment i, j."""
        def step(name, operation):
            nonlocal value
            value = f"%{name}{i}_{j}"
            self.w(f"{value} = {operation} : {SUMS}")
        if self.alpha:
            step("scaled", f"arith.mulf {value}, %alphas")
        if self.bias:
            step("biased", f"arith.addf {value}, %bias{j}")
        if self.activation == "relu":
            step("positive", f"arith.maximumf {value}, %none")
        elif self.activation:
            x, factors = value, ACTIVATIONS[self.activation]
            if len(factors) > 1:
                step("square", f"arith.mulf {x}, {x}")
                step("cubic", f"arith.mulf {value}, %factor1")
                step("sum", f"arith.addf {value}, %factor0")
                step("minus_y", f"arith.mulf {value}, {x}")
            else:
                step("minus_y", f"arith.mulf {x}, %factor0")
            step("power", f"math.exp {value} fastmath<afn>")
            step("divisor", f"arith.addf {value}, %one")
            step("active", f"arith.divf {x}, {value} fastmath<afn,arcp>")
        return value

    def inside(self, i, j, r):
        """The condition under which there is such a row and column, or none."""
        parts = []
        for d, place in ((0, f"%or_{i}_{r}"), (1, f"%oc_{j}")):
            if self.edges[d]:
                parts.append(f"%in{d}_{i}_{j}_{r}")
                self.w(f"{parts[-1]} = arith.cmpi ult, {place}, {self.c(self.size[d])} : index")
        if len(parts) == 2:
            self.w(f"%in_{i}_{j}_{r} = arith.andi {parts[0]}, {parts[1]} : i1")
            return f"%in_{i}_{j}_{r}"
        return parts[0] if parts else None

    def cuts_fours(self):
        """Whether the last column of the result may be one of a lane's four."""
        return self.turned and self.edges[1] and self.size[1] % 4 != 0

    def mask(self, j, what):
        """Of the four columns from the j-th on, those that there are."""
        self.w(f"%left{j}_{what} = arith.subi {self.c(self.size[1])}, %oc_{j} : index")
        self.w(f"%mask{j}_{what} = vector.create_mask %left{j}_{what} : vector<4xi1>")

    def store(self, i, j, r, value, type):
        """Row r of the four, or all of them where the lane has columns."""
        condition, place = self.inside(i, j, r), f"%c[%or_{i}_{r}, %oc_{j}] : {self.mem['c']}"
        if condition:
            self.w(f"scf.if {condition} {{")
        if self.cuts_fours() and not self.adds:
            self.mask(j, i)
            memory, index = place.split(" : ")[::-1]
            self.w(f"vector.maskedstore {index}, %mask{j}_{i}, {value} : {memory}, vector<4xi1>, {type}")
        elif self.turned and not self.adds:
            self.w(f"vector.store {value}, {place}, {type}")
        else:
            for e in range(4) if self.turned else (r,):
                at = place
                if e and self.turned:
                    self.w(f"%oc_{i}_{j}_{e} = arith.addi %oc_{j}, {self.c(e)} : index")
                    at = place.replace(f"%oc_{j}", f"%oc_{i}_{j}_{e}")
                self.w(f"%e{i}_{j}_{e} = vector.extract {value}[{e}] : {self.result} from {type}")
                if e and self.cuts_fours():
                    self.w(f"%there{i}_{j}_{e} = arith.cmpi ult, %oc_{i}_{j}_{e}, {self.c(self.size[1])} : index")
                    self.w(f"scf.if %there{i}_{j}_{e} {{")
                self.w(f"%old{i}_{j}_{e} = memref.atomic_rmw addf %e{i}_{j}_{e}, {at.replace(' : ', ' : (f32, ')}) -> f32" if self.adds
                       else f"memref.store %e{i}_{j}_{e}, {at}")
                if e and self.cuts_fours():
                    self.w("}")
        if condition:
            self.w("}")

    def fours(self, sums):
        """Of four neighbours each, by the place of the first in what the wave computes."""
        fours = {}
        count, apart = self.fragment ** 2 // 256, 4 * 64 // self.fragment
        for (i, j), value in sums.items():
            for g in range(count):
                place = (i * self.fragment, j * self.fragment + g * apart) if self.turned else (i * self.fragment + g * apart, j * self.fragment)
                fours[place] = value if count == 1 else f"%g{i}_{j}_{g}"
                if count > 1:
                    self.w(f"%g{i}_{j}_{g} = vector.extract_strided_slice {value} {{offsets = [{4 * g}], sizes = [4], strides = [1]}}"
                           f" : {self.sums} to {SUMS}")
        return fours

    def finish(self, sums):
        self.w("%or0 = arith.addi %row0, %wr0 : index")
        self.w("%oc0 = arith.addi %col0, %wc0 : index")
        self.w(f"%sub = arith.muli %outer, {self.c(4)} : index")
        row, column = ("inner", "sub") if self.turned else ("sub", "inner")
        self.w(f"%or1 = arith.addi %or0, %{row} : index")
        self.w(f"%oc1 = arith.addi %oc0, %{column} : index")
        fours = self.fours(sums)
        columns = sorted({column for _, column in fours})
        for j in columns:
            self.w(f"%oc_{j} = arith.addi %oc1, {self.c(j)} : index")
        rows = 1 if self.turned else 4
        for i in sorted({row for row, _ in fours}):
            for r in range(rows):
                self.w(f"%or_{i}_{r} = arith.addi %or1, {self.c(i + r)} : index")
        self.prepare(columns)
        for (i, j), value in fours.items():
            four, value = f"vector<4x{self.result}>", self.apply(i, j, value)
            if self.result != "f32":
                self.w(f"%t{i}_{j} = arith.truncf {value} : {SUMS} to {four}")
                value = f"%t{i}_{j}"
            for r in range(rows):
                self.store(i, j, r, value, four)
