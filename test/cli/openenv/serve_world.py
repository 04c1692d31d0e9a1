"""Serves a world of OpenEnv's own repository with room for many sessions, and prints its port.

Arguments: a clone of the repository, the world's folder in envs/, such as echo_env.
"""
import importlib
import socket
import sys

if __name__ == "__main__":
    root, world = sys.argv[1:]
    sys.path[:0] = [root, f"{root}/src"]
    import uvicorn
    from openenv.core.env_server import Action, Environment, Observation, create_app

    served = importlib.import_module(f"envs.{world}.server.app")

    def own(base, usual):
        found = [one for one in vars(served).values() if isinstance(one, type) and issubclass(one, base) and one not in usual]
        return found[0]

    environment = own(Environment, ())
    # Each session has an environment of its own, which the worlds that say nothing of it bear.
    environment.SUPPORTS_CONCURRENT_SESSIONS = True
    app = create_app(environment, own(Action, ()), own(Observation, ()), env_name=world, max_concurrent_envs=256)
    listening = socket.create_server(("127.0.0.1", 0))
    print(listening.getsockname()[1], flush=True)
    uvicorn.Server(uvicorn.Config(app, log_level="info")).run([listening])
