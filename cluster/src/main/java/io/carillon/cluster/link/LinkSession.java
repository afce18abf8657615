package io.carillon.cluster.link;

/**
 * What two processes have agreed on: a key for each direction, good as long as both live.
 * Immutable; any thread, each with copies of the keys.
 */
record LinkSession(LinkMac send, LinkMac receive, long ownBoot, long peerBoot) {}
