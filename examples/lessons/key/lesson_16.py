"""Answers to lesson 16."""

import re


def readings(token):
    return token.strip("^$").split("/")[1:]


def symbols(reading):
    return re.findall("<([^>]*)>", reading)


def tied(parts, weights):
    return parts @ weights @ parts.T


def gradient(parts, slope):
    return parts.T @ slope @ parts
