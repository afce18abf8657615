package io.carillon.sip.stack;

import io.carillon.sip.message.MessageDraft;

/** Sets the headers that depend on the way a request takes: Contact, Record-Route, Path. */
public interface HopDecorator {
    /** Nothing to set. */
    HopDecorator NONE = (draft, hop, sentBy) -> {};

    /**
     * Called on the shard's thread for each hop tried, just before Via is added and the request is
     * printed.
     *
     * @param draft a draft of this hop only
     * @param sentBy what the Via will print
     */
    void decorate(MessageDraft draft, Hop hop, HostPort sentBy);
}
