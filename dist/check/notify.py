"""Stands for the service manager: prints what comes to a socket of sd_notify(3), a line each. notify.py SOCKET"""
import os
import socket
import sys

place = sys.argv[1]
if os.path.exists(place):
    os.remove(place)
inbox = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
inbox.bind(place)
os.chmod(place, 0o666)
while True:
    print(inbox.recv(65536).decode(), flush=True)
