package io.carillon.sip.admission;

/**
 * How much of what the network brought may wait for one {@link Mailbox}, since its runner took what
 * had waited before: so twice as much at the most. Half of it is open to requests that begin
 * something, so that they leave room to dialogs.
 *
 * @param waitingMessages that may wait
 * @param waitingBytes of those messages; one message alone may be larger
 */
public record MailboxLimits(int waitingMessages, int waitingBytes) {
    /** 1000 messages, 1 MiB. */
    public static final MailboxLimits DEFAULT = new MailboxLimits(1000, 1 << 20);

    public MailboxLimits {
        if (waitingMessages < 1 || waitingBytes < 1) {
            throw new IllegalArgumentException(
                    "limits of a mailbox begin at 1: " + waitingMessages + ", " + waitingBytes);
        }
    }

    /**
     * Is there room for a message more?
     *
     * @param messages that wait already
     * @param bytes of those
     * @param weight of the message
     */
    public boolean hasRoom(int messages, int bytes, int weight, Room room) {
        // What is RESERVED comes once for each request or dialog of its owner.
        if (messages == 0 || room == Room.RESERVED) {
            return true;
        }
        int share = room == Room.NEW ? 2 : 1;
        return messages < Math.ceilDiv(waitingMessages, share)
                && bytes <= waitingBytes / share - weight;
    }
}
