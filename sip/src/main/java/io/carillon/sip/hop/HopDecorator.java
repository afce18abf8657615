package io.carillon.sip.hop;

import io.carillon.sip.message.MessageDraft;

/** Sets the headers that depend on the way a request takes: Contact, Record-Route, Path. */
public interface HopDecorator {
    /** Nothing to set. */
    HopDecorator NONE =
            new HopDecorator() {
                @Override
                public void decorate(MessageDraft draft, Hop hop, HostPort sentBy) {}

                @Override
                public int mostBytes() {
                    return 0;
                }
            };

    /** By so many bytes {@link #decorate} makes a message longer at most. */
    default int mostBytes() {
        return 0xFFFF;
    }

    /**
     * Called on the shard's thread for each hop tried, just before Via is added and the request is
     * printed.
     *
     * @param draft a draft of this hop only
     * @param sentBy what the Via will print
     */
    void decorate(MessageDraft draft, Hop hop, HostPort sentBy);

    /**
     * As {@link #decorate(MessageDraft, Hop, HostPort)}, with the transport by which the peer comes
     * back: the hop's own where we listen on it.
     */
    default void decorate(MessageDraft draft, Hop hop, HostPort sentBy, Transport back) {
        decorate(draft, hop, sentBy);
    }
}
