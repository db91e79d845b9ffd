"""python -m mafiamail"""

from mafiamail.cli import main

main(prog_name="mafiamail")
