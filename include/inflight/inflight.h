/* Inflight as a library: AMD Instinct kernels (gfx90a, gfx942, gfx950) checked, run, timed and compiled without a GPU.
 *
 * Every function may be called from any thread; launches of one context go one after another. Functions that can fail
 * return an ifl_status; ifl_last_error() then has the message of the calling thread's last failure. Nothing here ends
 * the process: a kernel that faults is IFL_FAULT. Strings and buffers that are handed out belong to the caller, who
 * gives them back with ifl_free(). JSON is UTF-8; names in it are only added within one version.
 */
#ifndef INFLIGHT_H
#define INFLIGHT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define IFL_API __attribute__((visibility("default")))
#define IFL_API_VERSION 2 /* of this header; ifl_api_version() has the library's */

typedef enum ifl_status {
  IFL_OK = 0,
  IFL_INVALID = 1,     /* an argument, a file or an option is no good */
  IFL_NOT_FOUND = 2,   /* no such kernel, range, module or symbol */
  IFL_FAULT = 3,       /* the kernel did what faults: an access outside of all memory, an unsupported instruction */
  IFL_UNSUPPORTED = 4, /* the library was built without it, or the machine doesn't have it */
  IFL_INTERRUPTED = 5, /* the launch was ended by ifl_launch.interrupted: memory is as far as the kernel came */
} ifl_status;

typedef struct ifl_context ifl_context; /* memory, and what is loaded there */
typedef struct ifl_heap ifl_heap;       /* memory that malloc and new in kernels hand out */
typedef struct ifl_module ifl_module;   /* a code object that is loaded */

IFL_API int ifl_api_version(void);
IFL_API const char *ifl_version(void); /* "0.1.0" */
/* Of the calling thread; valid until its next call. Never null. */
IFL_API const char *ifl_last_error(void);
typedef enum ifl_fault {
  IFL_FAULT_INSTRUCTION = 0, /* an instruction that isn't executed, or code that can't begin */
  IFL_FAULT_MEMORY = 1,      /* an access outside of all memory */
  IFL_FAULT_TRAP = 2,        /* s_trap: a failed assertion, abort() */
  IFL_FAULT_ENDLESS = 3,     /* a wave that doesn't end */
} ifl_fault;
/* What the calling thread's last IFL_FAULT was. */
IFL_API ifl_fault ifl_last_fault(void);
IFL_API void ifl_free(void *bytes);

IFL_API ifl_status ifl_context_create(ifl_context **context);
/* Its modules and memory go with it. */
IFL_API void ifl_context_destroy(ifl_context *context);

/* Memory. Device addresses are host addresses: what the host has registered isn't copied. `name` is for messages and
 * may be null. Registering what is registered already, or overlaps with it, is an error. */
#define IFL_MEMORY_NEAR 2048 /* bytes around a range that messages name by it */
IFL_API ifl_status ifl_memory_register(ifl_context *context, void *begin, uint64_t bytes, const char *name);
IFL_API ifl_status ifl_memory_unregister(ifl_context *context, void *begin);
/* Likewise, and until ifl_memory_forget() faults there say that it has been freed; the caller keeps the addresses. */
IFL_API ifl_status ifl_memory_retire(ifl_context *context, void *begin);
IFL_API void ifl_memory_forget(ifl_context *context, void *begin);
/* Takes the range or module that holds `address` out of the kernels' reach until it is shown again, as another device's
 * memory is: faults there end with `why`. */
IFL_API ifl_status ifl_memory_hide(ifl_context *context, const void *address, const char *why);
IFL_API ifl_status ifl_memory_show(ifl_context *context, const void *address);
/* For the check `uninitialised`. A registered range of zeros that nothing counts as written to: kernels' stores do, and
 * what the host says. Bytes that aren't zero count as written, too. */
IFL_API ifl_status ifl_memory_set_unwritten(ifl_context *context, void *begin, uint64_t bytes);
IFL_API void ifl_memory_set_written(ifl_context *context, const void *begin, uint64_t bytes);
/* Called before the host copies: bytes will be as written as those they come from. */
IFL_API void ifl_memory_copy_written(ifl_context *context, const void *to, const void *from, uint64_t bytes);
/* The longest run of bytes of one range that nothing was written to: its length, 0 if there is none, and where it is.
 */
IFL_API uint64_t ifl_memory_find_unwritten(ifl_context *context, const void *begin, uint64_t bytes, const void **run);
/* From now on checked launches note which bytes of a registered range they read and write. */
IFL_API ifl_status ifl_memory_note(ifl_context *context, void *begin, uint64_t bytes);
/* What they noted since the last call. `page` gets the aligned blocks of `page_bytes` in which they touched every byte
 * that is noted: wrote, or (is_written 0) read or wrote. 1 if a kernel used system scope: the host may know of what it
 * and those before it did without waiting for their end. Chips without scopes in their instructions note nothing. */
typedef void (*ifl_noted_page)(void *data, void *begin, int is_written);
IFL_API int ifl_memory_take_noted(ifl_context *context, uint64_t page_bytes, ifl_noted_page page, void *data);
/* Memory of the library's own, zero-filled. */
IFL_API ifl_status ifl_memory_allocate(ifl_context *context, uint64_t bytes, const char *name, void **begin);
IFL_API ifl_status ifl_memory_release(ifl_context *context, void *begin);

/* What malloc and new in kernels hand out, as long as it lives. `begin` (may be null) gets its first address.
 * `unwritten` not 0: for the check `uninitialised` what it hands out hasn't been written to. It goes with its context.
 */
#define IFL_HEAP_BYTES 268435456 /* of a context's own heap */
IFL_API ifl_status ifl_heap_create(ifl_context *context, uint64_t bytes, int unwritten, ifl_heap **heap, void **begin);
IFL_API void ifl_heap_destroy(ifl_heap *heap);

/* Code. `image`: a code object, a relocatable object, or a fat binary, from which `chip` ("gfx942"; null: the only one)
 * chooses. The image is copied. Variables of the module live until it is unloaded. */
IFL_API ifl_status ifl_module_load(ifl_context *context, const void *image, size_t bytes, const char *chip,
                                   ifl_module **module);
IFL_API void ifl_module_unload(ifl_module *module);
IFL_API const char *ifl_module_chip(const ifl_module *module); /* "gfx942"; valid as long as the module */
/* {"chip", "kernels": [{"name", "vgprs", ..., "arguments": [{"name", "offset", "size", "value_kind", "hidden"}]}]}: as
 * `inflight info --format=json` prints them. */
IFL_API ifl_status ifl_module_info(const ifl_module *module, char **json);
/* A variable of the module, by name: its address and bytes. */
IFL_API ifl_status ifl_module_symbol(const ifl_module *module, const char *name, void **address, uint64_t *bytes);

/* A launch. Set `size` to sizeof(ifl_launch), zero the rest, then fill in. */
typedef struct ifl_launch {
  size_t size;
  uint32_t grid[3];     /* workgroups */
  uint32_t block[3];    /* lanes of one */
  uint32_t dynamic_lds; /* bytes */
  const void *kernarg;  /* the kernel's explicit arguments as its segment has them, hidden ones are filled in; */
  size_t kernarg_bytes; /* or */
  const void *const *arguments; /* pointers to the values, as hipModuleLaunchKernel takes them, in order */
  size_t argument_count;
  const char *checks;             /* "all", names of `inflight run --check` with commas; null: none */
  const char *delivery;           /* when checked loads arrive, as `--delivery`; null: latest */
  int timed;                      /* not 0: count cycles; checks must be null then */
  const char *device;             /* timed: "MI300X"; null: the chip's usual one */
  uint32_t clock_mhz;             /* timed: 0: what power leaves of the device's peak */
  uint32_t sample;                /* timed: workgroups of a unit that run, no others do; 0: all run */
  int warm;                       /* timed: a launch before has left its data in the caches */
  const char *html;               /* timed: a page with the timeline is written there; null: none */
  uint32_t threads;               /* of the host; 0: all */
  uint64_t max_steps;             /* instructions after which a wave counts as never ending; 0: 2^30 */
  int (*interrupted)(void *data); /* asked some times a second on the calling thread; not 0 ends the launch; or null */
  void *interrupted_data;
  const char *sources; /* a folder: "report" shows lines of files below it whatever their sums; "off": none; or null */
  void (*slow)(void *data, const char *text); /* gets where waves are when for five seconds no workgroup has ended, then
                                               * for ten and so on; one call at a time, on any thread; or null */
  void *slow_data;
  uint32_t granule; /* registered memory is of an allocator that hands out multiples of so many bytes: unless the check
                     * "memory" runs, loads behind its end are served up to there, as on a device; 0: they fault */
  const char *stores; /* when other workgroups see a store, as `--stores`: "late", on one host thread; null: now */
  ifl_heap *heap;     /* of the module's context, for malloc in kernels; null: the context's own */
} ifl_launch;

/* Runs a kernel, by name, to its end. `json` (may be null) gets {"instructions", "waves", "seconds", "findings": [...]}
 * with checks as `inflight run --format=json` prints them ("report" has them as text), and with `timed`
 * "time": {"cycles", "microseconds", ...}. Findings are no failure. */
IFL_API ifl_status ifl_launch_kernel(ifl_module *module, const char *kernel, const ifl_launch *launch, char **json);

/* What would make a launch faster and by how much, each change tried on the timed model: `json` gets what
 * `inflight advise --format=json` prints. `waits`: how many waits are tried, those that cost most. `timed` is implied,
 * `checks` and `html` must be null. Each try begins with the memory as it is now, and it is so again afterwards.
 * `output` (may be null) gets the code object with the weaker waits, null if no wait can be weaker. */
IFL_API ifl_status ifl_advise(ifl_module *module, const char *kernel, const ifl_launch *launch, uint32_t waits,
                              char **json, void **output, size_t *output_bytes);

/* The devices whose numbers are known, those of data/devices.json: [{"name": "MI300X", "chip": "gfx942", "usual": true,
 * "compute_units", "clock_mhz", "memory_gbytes_per_second", "memory_bus_bits", "lanes", "simds_per_cu", "waves_per_simd",
 * "vgprs_per_simd", "arch_vgprs", "lds_bytes", "workgroup_lanes"}]. One of each chip is the usual one. Of a product with
 * several devices they are those of one. simds_a_unit, waves_a_simd and vgprs_a_simd are older names of three, which the
 * next release drops. */
IFL_API ifl_status ifl_devices(char **json);

/* One of them: by its name, without regard to case, or the usual one with the chip `name`. Without a name (null or
 * empty) the usual one with the newest chip that `image`, a code object or fat binary, has code for. The error of a
 * device that there isn't lists those that there are. */
IFL_API ifl_status ifl_device_find(const char *name, const void *image, size_t image_bytes, char **json);

/* What `inflight waits` serves, on bytes in memory: assembly, an object, a code object or a fat binary. `mode`:
 * "verify", "report", "relax", "insert" or "strip". `json` gets {"status", "text", "findings": [...]}; of the last
 * three modes `output` gets the changed file, null if something speaks against it. `name` stands in messages. */
IFL_API ifl_status ifl_waits(const void *file, size_t bytes, const char *name, const char *mode, const char *chip,
                             char **json, void **output, size_t *output_bytes);

/* MLIR text to a code object ("hsaco"), an object ("obj"), assembly ("asm") or lowered MLIR ("mlir"). `json` (may be
 * null) gets {"kernels": [{"name", "vgprs", ...}]}. IFL_UNSUPPORTED: a library without compiler. */
IFL_API ifl_status ifl_compile(const char *mlir, size_t bytes, const char *name, const char *chip, const char *emit,
                               void **output, size_t *output_bytes, char **json);
/* The same with the line of the source that each instruction comes from, for findings and traces: of `mlir`, as the
 * file `name`, or of the files that its locations name. */
IFL_API ifl_status ifl_compile_debug(const char *mlir, size_t bytes, const char *name, const char *chip,
                                     const char *emit, void **output, size_t *output_bytes, char **json);
/* The same with options. Set `size` to sizeof(ifl_compile_options), zero the rest, then fill in. */
typedef struct ifl_compile_options {
  size_t size;
  const char *chip; /* "gfx942", which null means, too */
  const char *emit; /* as above; null: "hsaco" */
  int debug;        /* not 0: as ifl_compile_debug */
  int reassociate;  /* not 0: sums of floats may be added in another order, as `inflight compile --reassociate` */
} ifl_compile_options;
IFL_API ifl_status ifl_compile_with(const char *mlir, size_t bytes, const char *name,
                                    const ifl_compile_options *options, void **output, size_t *output_bytes,
                                    char **json);
/* Assembly to a code object; `chip` null: what .amdgcn_target says. */
IFL_API ifl_status ifl_assemble(const char *assembly, size_t bytes, const char *name, const char *chip, void **output,
                                size_t *output_bytes);

#ifdef __cplusplus
}
#endif
#endif
