"""Tests of the training: `python -m unittest discover -s train/tests -t .`"""
