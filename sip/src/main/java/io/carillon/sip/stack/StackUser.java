package io.carillon.sip.stack;

import io.carillon.sip.server.ServerUser;
import io.carillon.sip.shard.ShardUser;

/**
 * The layer above: proxy cores, user agents, the container. Everything is called on the shard's
 * thread, one call at a time, and never from inside one of the user's own calls to the stack.
 */
public interface StackUser extends ShardUser, ServerUser {}
