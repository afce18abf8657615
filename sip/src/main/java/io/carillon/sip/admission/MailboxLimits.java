package io.carillon.sip.admission;

/**
 * How much of what the network brought may wait for one {@link Mailbox}, since its runner took what
 * had waited before: so twice as much at the most. Half of it is open to requests that begin
 * something, so that they leave room to dialogs.
 *
 * @param messages that wait
 * @param bytes of those messages; one message alone may be larger
 */
public record MailboxLimits(int messages, int bytes) {
    /** 1000 messages, 1 MiB. */
    public static final MailboxLimits DEFAULT = new MailboxLimits(1000, 1 << 20);

    public MailboxLimits {
        if (messages < 1 || bytes < 1) {
            throw new IllegalArgumentException(
                    "limits of a mailbox begin at 1: " + messages + ", " + bytes);
        }
    }

    /**
     * Is there room for a message more?
     *
     * @param waitingMessages that wait already
     * @param waitingBytes of those
     * @param weight of the message
     */
    public boolean hasRoom(int waitingMessages, int waitingBytes, int weight, Room room) {
        // What is RESERVED comes once for each request or dialog of its owner.
        if (waitingMessages == 0 || room == Room.RESERVED) {
            return true;
        }
        int share = room == Room.NEW ? 2 : 1;
        return waitingMessages < Math.ceilDiv(messages, share)
                && waitingBytes <= bytes / share - weight;
    }
}
