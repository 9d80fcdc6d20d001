"""Self-play, the loop and matches on all machines that Ray reaches; docs/scale.md has more.

`job.py` is what a node does: `hex` with some arguments, in a folder of its own. `ray_cluster.py` is
the driver's side of Ray: what travels to the nodes, which jobs are out, what is done when one is
lost. `commands.py` has self-play and matches, `loop.py` whole runs, `progress.py` the terminal.
"""
