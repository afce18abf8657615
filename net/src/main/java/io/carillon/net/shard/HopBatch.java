package io.carillon.net.shard;

import io.carillon.sip.hop.Hop;

/**
 * Messages of one batch that belong to another shard; filled by one loop, then run by the other.
 */
final class HopBatch implements Runnable {

    private static final int CAPACITY = 32;

    /** What a batch and each of its messages hold beside the messages' arrays. */
    private static final int BATCH_BYTES = 512;

    private static final int OBJECT_BYTES = 32;

    private final Taker taker;
    private final byte[][] messages = new byte[CAPACITY][];
    private final int[] lengths = new int[CAPACITY];
    private final int[] partitions = new int[CAPACITY];
    private final Hop[] origins = new Hop[CAPACITY];
    private int size;
    private int bytes = BATCH_BYTES;

    /** The loop that the messages are for; called on its thread. */
    interface Taker {
        /**
         * A batch is being taken up.
         *
         * @param bytes what it held
         */
        void begin(int bytes);

        /**
         * One of its messages.
         *
         * @param partition -1 without a cluster
         */
        void take(byte[] message, int length, int partition, Hop from);
    }

    HopBatch(Taker taker) {
        this.taker = taker;
    }

    int size() {
        return size;
    }

    /** What it holds, the whole of arrays that are longer than their message included. */
    int bytes() {
        return bytes;
    }

    /** Adds one message and says whether the batch is full now. */
    boolean add(byte[] message, int length, int partition, Hop from) {
        messages[size] = message;
        lengths[size] = length;
        partitions[size] = partition;
        origins[size] = from;
        size++;
        bytes += message.length + OBJECT_BYTES;
        return size == CAPACITY;
    }

    @Override
    public void run() {
        taker.begin(bytes);
        for (int i = 0; i < size; i++) {
            taker.take(messages[i], lengths[i], partitions[i], origins[i]);
        }
    }
}
