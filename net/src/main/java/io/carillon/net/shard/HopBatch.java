package io.carillon.net.shard;

import io.carillon.sip.stack.Hop;

/**
 * Messages of one batch that belong to another shard; filled by one loop, then run by the other.
 */
final class HopBatch implements Runnable {

    private static final int CAPACITY = 32;

    private final ShardLoop target;
    private final byte[][] messages = new byte[CAPACITY][];
    private final int[] lengths = new int[CAPACITY];
    private final Hop[] origins = new Hop[CAPACITY];
    private int size;

    HopBatch(ShardLoop target) {
        this.target = target;
    }

    ShardLoop target() {
        return target;
    }

    int size() {
        return size;
    }

    /** Adds one message and says whether the batch is full now. */
    boolean add(byte[] message, int length, Hop from) {
        messages[size] = message;
        lengths[size] = length;
        origins[size] = from;
        size++;
        return size == CAPACITY;
    }

    @Override
    public void run() {
        for (int i = 0; i < size; i++) {
            target.receive(messages[i], lengths[i], origins[i]);
        }
    }
}
