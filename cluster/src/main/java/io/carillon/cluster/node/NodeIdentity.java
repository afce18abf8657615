package io.carillon.cluster.node;

/**
 * Who a node is.
 *
 * @param number 0 to 254, its own in the cluster
 * @param name for people
 * @param address of its link. The process holds it alone: that a new process could take it proves
 *     that the former one is dead
 * @param witness votes, owns nothing
 */
public record NodeIdentity(int number, String name, String address, boolean witness) {}
