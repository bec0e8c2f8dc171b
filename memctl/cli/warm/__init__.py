"""The warm path: a process that has everything loaded answers light command lines on a socket."""
