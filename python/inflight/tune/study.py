"""The search: Optuna's study of a template, here or on several machines, resumed where it was left."""
import os
from dataclasses import dataclass

from .template import Impossible, Template, TuneError
from .trial import Failed, Trial


def _optuna():
    try:
        import optuna
    except ImportError as error:
        raise TuneError("Optuna is needed: pip install optuna") from error
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    return optuna


@dataclass
class Goal:
    """What workers must know; it is sent to other machines."""
    template: str
    settings: dict
    chip: str
    device: str
    sample: int
    timeout: float
    storage: str
    name: str

    @staticmethod
    def of(template, chip, device=None, sample=6, timeout=None, storage=None, name=None):
        """The name of a study says what it is of, so that the same search finds it again."""
        stem = os.path.splitext(os.path.basename(template.file))[0]
        settings = ",".join(f"{key}={value}" for key, value in template.settings.items())
        return Goal(template=template.file, settings=template.settings, chip=chip, device=device, sample=sample, timeout=timeout, storage=storage,
                    name=name or f"{stem} {chip} {device or ''} {settings} sample {sample}")


class Study:
    """`storage`: a URL that Optuna takes; a file's name is SQLite. The same name in the same storage is gone on with."""

    def __init__(self, goal, template=None):
        self.goal = goal
        self.template = template or Template(goal.template, goal.settings)
        optuna = _optuna()
        self.study = optuna.create_study(study_name=goal.name, storage=goal.storage, load_if_exists=True, direction="minimize")
        known = self.study.user_attrs.get("goal")
        mine = {"parameters": {name: list(map(str, values)) for name, values in self.template.parameters.items()},
                "settings": self.template.settings, "chip": goal.chip, "sample": goal.sample}
        if known and known != mine:
            raise TuneError(f"the study '{goal.name}' in {goal.storage} is of another template, chip, setting or sample: "
                            "give another --study, or another --storage")
        self.study.set_user_attr("goal", mine)

    def sampler(self, trials, seed=None):
        optuna = _optuna()
        return optuna.samplers.TPESampler(seed=seed, multivariate=True, constant_liar=True, n_startup_trials=max(8, trials // 5))

    def run(self, trials, jobs=1, seed=None, timeout=None, done=None):
        """Until so many trials are there, those of earlier runs included; of a space of no more choices all of it. `done` is called after
        each."""
        optuna = _optuna()
        self.study.sampler = self.sampler(trials, seed)
        self.study.pruner = optuna.pruners.MedianPruner(n_startup_trials=5)
        if self.template.size <= trials:
            tried = [trial.params for trial in self.finished()]
            left = [choice for choice in self.template.choices() if choice not in tried]
            for choice in left:
                self.study.enqueue_trial(choice, skip_if_exists=True)
            left = len(left)
        else:
            left = trials - len(self.finished())
        if left <= 0:
            return
        self.study.optimize(self._objective, n_trials=left, n_jobs=jobs, timeout=timeout, catch=(Failed,),
                            callbacks=[lambda _, trial: done(trial)] if done else None)

    def finished(self):
        optuna = _optuna()
        states = optuna.trial.TrialState
        return self.study.get_trials(deepcopy=False, states=(states.COMPLETE, states.PRUNED, states.FAIL))

    def _objective(self, trial):
        optuna = _optuna()
        choice = {name: trial.suggest_categorical(name, list(values)) for name, values in self.template.parameters.items()}
        for other in self.study.get_trials(deepcopy=False, states=(optuna.trial.TrialState.COMPLETE,)):
            if other.number != trial.number and other.params == trial.params:
                trial.set_user_attr("why", f"as trial {other.number}")
                for name, value in other.user_attrs.items():
                    trial.set_user_attr(name, value)
                return other.value
        try:
            candidate = self.template.candidate(self.goal.chip, choice)
            with Trial(candidate, self.goal.chip, self.goal.device, self.goal.timeout) as timed:
                return self._time(trial, timed)
        except Impossible as error:
            trial.set_user_attr("why", f"impossible: {error}")
            raise optuna.TrialPruned() from error
        except Failed as error:
            trial.set_user_attr("why", str(error))
            raise

    def _time(self, trial, timed):
        """A third of the sample says whether the rest is worth it."""
        optuna = _optuna()
        for step, sample in enumerate([max(1, self.goal.sample // 3), self.goal.sample] if self.goal.sample > 2 else [self.goal.sample]):
            time = timed.time(sample)
            trial.report(time["microseconds"], step)
            if trial.should_prune():
                trial.set_user_attr("why", f"slower than half of the others: about {time['microseconds']:.1f} us")
                raise optuna.TrialPruned()
        for name in ("cycles", "accuracy", "tflops", "matrix_busy", "memory_gbytes_per_second", "device"):
            trial.set_user_attr(name, time[name])
        return time["microseconds"]

    def ranking(self):
        """Complete trials, the fastest first, each choice once."""
        optuna = _optuna()
        trials = sorted(self.study.get_trials(deepcopy=False, states=(optuna.trial.TrialState.COMPLETE,)), key=lambda trial: (trial.value, trial.number))
        seen, ranking = [], []
        for trial in trials:
            if trial.params not in seen:
                seen.append(trial.params)
                ranking.append(trial)
        return ranking

    def winner(self, tried=None):
        """The fastest that passes its checks, with its candidate; None if none does. `tried` is called with each one that doesn't and why."""
        for trial in self.ranking():
            candidate = self.template.candidate(self.goal.chip, trial.params)
            try:
                with Trial(candidate, self.goal.chip, self.goal.device, self.goal.timeout) as one:
                    one.check()
                return trial, candidate
            except Failed as error:
                if tried:
                    tried(trial, error)
        return None


def opened(goal, template=None):
    """A Study; a TuneError that names the storage if that can't be had."""
    try:
        return Study(goal, template)
    except TuneError:
        raise
    except Exception as error:  # the storage: no server, no rights, no such driver
        if type(error).__module__.split(".")[0] not in ("sqlalchemy", "optuna", "psycopg2", "builtins"):
            raise
        raise TuneError(f"{goal.storage}: {str(error).splitlines()[0] if str(error) else type(error).__name__}") from error


def work(goal, trials, seed):
    """One worker's part, on whatever machine it is."""
    Study(goal).run(trials, seed=seed)


def is_local(storage):
    return storage.startswith("sqlite") or not storage


def distribute(goal, trials, workers, dask=None, ray=None):
    """Has `workers` workers of a Dask or Ray cluster search together, by the storage that all of them reach."""
    if is_local(goal.storage):
        raise TuneError("several machines need a storage that all of them reach: --storage=postgresql://..., not a file")
    if dask is not None:
        try:
            from dask.distributed import Client
        except ImportError as error:
            raise TuneError("--dask needs Dask: pip install 'dask[distributed]'") from error
        with Client(dask) as client:
            client.gather([client.submit(work, goal, trials, seed, pure=False) for seed in range(workers)])
        return
    try:
        import ray as cluster
    except ImportError as error:
        raise TuneError("--ray needs Ray: pip install ray") from error
    cluster.init(address=ray or None, ignore_reinit_error=True)
    task = cluster.remote(work)
    cluster.get([task.remote(goal, trials, seed) for seed in range(workers)])


def storage_url(text):
    """A file's name is SQLite."""
    return text if "://" in text else "sqlite:///" + os.path.abspath(text)
