package io.carillon.testkit;

import io.carillon.sip.header.HeaderName;
import io.carillon.sip.message.MessageDraft;

/**
 * An INVITE in preparation: {@code alice.invite("sip:bob@10.0.0.2").via("sip:10.0.0.9;lr").send()}.
 */
public final class Invitation {
    private final UserAgent agent;
    private final MessageDraft draft;
    private boolean offer = true;

    Invitation(UserAgent agent, MessageDraft draft) {
        this.agent = agent;
        this.draft = draft;
    }

    /** Adds a Route: an outbound proxy. */
    public Invitation via(String route) {
        draft.addLast(HeaderName.ROUTE, "<" + route + ">");
        return this;
    }

    /** RFC 3262: offers reliable provisional responses. */
    public Invitation supports100rel() {
        draft.addLast(HeaderName.SUPPORTED, "100rel");
        return this;
    }

    /** Leaves the offer to the 2xx, and sends the answer in the ACK. */
    public Invitation withoutOffer() {
        offer = false;
        return this;
    }

    public Invitation header(String name, String value) {
        draft.addLast(HeaderName.of(name), value);
        return this;
    }

    public Call send() {
        if (offer) {
            draft.body(agent.description(), UserAgent.SDP);
        }
        return agent.start(draft, offer);
    }
}
