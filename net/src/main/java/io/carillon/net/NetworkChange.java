package io.carillon.net;

/**
 * A change of a network that is ready: what can fail is done. Either is called, once.
 *
 * @param apply from then on it is so
 * @param cancel nothing has changed, and what was bound is let go
 */
public record NetworkChange(Runnable apply, Runnable cancel) {}
