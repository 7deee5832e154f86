"""`python -m poolproof` is the program, whatever PATH says."""

import os
import sys

from poolproof.places import program

path = program()
os.execv(path, [path, *sys.argv[1:]])
