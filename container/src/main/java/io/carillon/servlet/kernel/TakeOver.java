package io.carillon.servlet.kernel;

/**
 * How a call came to this node: by a record that another one has written. Immutable.
 *
 * @param node number of the node that wrote it; -1 where it does not say
 * @param term in which this node owns its partition
 * @param ageMillis how old the record was; -1 where it does not say
 * @param from its next states have higher numbers than this: the store drops one that is no later
 *     than what it has
 */
public record TakeOver(int node, long term, long ageMillis, long from) {}
