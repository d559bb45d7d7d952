"""Where files are looked at: threads of this process, or a cluster of Dask or Ray."""
import contextlib
import itertools

from . import work


class EngineError(Exception):
    pass


class Local:
    """`serve(batch)` in a thread, which hands results over one by one."""
    most_files = work.MOST_FILES

    def __init__(self, jobs, serve):
        self.jobs, self.serve = jobs, serve

    def run(self, tasks):
        for first in tasks:
            from concurrent import futures
            with futures.ThreadPoolExecutor(self.jobs) as pool:
                waiting = set()
                for batch in itertools.chain([first], tasks):
                    waiting.add(pool.submit(self.serve, batch))
                    if len(waiting) >= self.jobs:
                        waiting = _done(futures.wait(waiting, return_when=futures.FIRST_COMPLETED))
                _done(futures.wait(waiting))


def _done(parts):
    for future in parts.done:
        future.result()
    return parts.not_done


class Cluster:
    """A file a task, so that a worker that is lost takes no other's result with it. Their code is sent along: nothing but the command and the files
    must be where they are here."""
    most_files = 1

    def __init__(self, address, jobs, command, take):
        self.address, self.jobs, self.command, self.take = address, jobs, command, take

    def run(self, tasks):
        with self.session():
            waiting = {}
            for batch in tasks:
                waiting[self.submit(batch)] = batch
                while len(waiting) >= self.window:
                    self.collect(waiting)
            while waiting:
                self.collect(waiting)

    def collect(self, waiting):
        future = self.next_done(list(waiting))
        batch = waiting.pop(future)
        try:
            results = self.result(future)
        except Exception as error:  # the cluster has given it up: its worker went away each time
            results = [(path, [{"path": path, "status": 2, "error": f"its worker ended: {type(error).__name__}", "ended": True}], None) for path in batch]
        for path, lines, after in results:
            self.take(path, lines, after)


class Dask(Cluster):
    @contextlib.contextmanager
    def session(self):
        try:
            import cloudpickle
            from dask import distributed
        except ImportError:
            raise EngineError("--workers=dask needs Dask: pip install 'dask[distributed]'") from None
        cloudpickle.register_pickle_by_value(work)
        self.distributed = distributed
        try:
            client = distributed.Client(self.address) if self.address else distributed.Client(
                n_workers=self.jobs or None, threads_per_worker=1, dashboard_address=None)
        except OSError as error:
            raise EngineError(f"no Dask scheduler at '{self.address}': {error}") from None
        with client:
            self.client = client
            self.window = self.jobs or 2 * max(1, sum(client.nthreads().values()))
            yield

    def submit(self, batch):
        # A function without a name is sent as it is.
        return self.client.submit(lambda *given: work.served_elsewhere(*given), self.command, batch, pure=False)

    def next_done(self, futures):
        return next(iter(self.distributed.wait(futures, return_when="FIRST_COMPLETED").done))

    def result(self, future):
        return future.result()


class Ray(Cluster):
    @contextlib.contextmanager
    def session(self):
        try:
            import ray
        except ImportError:
            raise EngineError("--workers=ray needs Ray: pip install ray") from None
        ray.cloudpickle.register_pickle_by_value(work)
        self.ray = ray
        try:
            ray.init(address=self.address or None, num_cpus=None if self.address else self.jobs or None, include_dashboard=False if not self.address else None,
                     log_to_driver=False, logging_level="ERROR")
        except (ConnectionError, ValueError, RuntimeError) as error:
            raise EngineError(f"no Ray cluster at '{self.address}': {str(error).splitlines()[0]}") from None
        try:
            self.task = ray.remote(max_retries=3)(work.served_elsewhere)
            self.window = self.jobs or 2 * max(1, int(ray.cluster_resources().get("CPU", 1)))
            yield
        finally:
            ray.shutdown()

    def submit(self, batch):
        return self.task.remote(self.command, batch)

    def next_done(self, futures):
        return self.ray.wait(futures, num_returns=1)[0][0]

    def result(self, future):
        return self.ray.get(future)


def engine(workers, jobs, processors, command, serve, take):
    """`workers`: none, or the cluster's name and address."""
    if not workers:
        return Local(jobs or processors, serve)
    name, _, address = workers.partition(":")
    kinds = {"dask": Dask, "ray": Ray}
    if name not in kinds:
        raise EngineError(f"--workers takes dask, dask:SCHEDULER, ray or ray:ADDRESS, not '{workers}'")
    return kinds[name](address, jobs, command, take)
