"""The rules by which two statements are judged, one kind of judgement a module.

A rule takes a comparison and gives a judgement, or None where another rule must decide.
"""
