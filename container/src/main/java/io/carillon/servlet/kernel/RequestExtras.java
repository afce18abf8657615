package io.carillon.servlet.kernel;

import io.carillon.servlet.port.Caller;
import io.carillon.servlet.port.IdentityResult;
import io.carillon.servlet.port.Passage;
import io.carillon.servlet.port.Proof;
import io.carillon.servlet.port.Provenance;
import java.util.ArrayList;
import java.util.List;
import javax.servlet.sip.SipServletResponse;
import javax.servlet.sip.ar.SipApplicationRoutingDirective;
import org.jspecify.annotations.Nullable;

/**
 * What few requests have beside themselves: how they came from another application, who sent them,
 * what the container does with them by itself. Owner: the request's.
 */
public final class RequestExtras extends MessageExtras {
    /**
     * Whose request it is when no application sent it: told of its answers in the application's
     * place. With the turn held.
     */
    public interface Owner {
        /** A final answer came, and nothing has changed by it yet; also a time-out (408). */
        void answering(int status);

        /** The answer was processed. */
        void answered(SipServletResponse response);
    }

    /** Of a request of which nothing is known; nobody writes to it. */
    static final RequestExtras NONE = new RequestExtras();

    @Nullable SipApplicationRoutingDirective directive;

    /** What the router said of it, before it has a session. */
    SessionPath.@Nullable Routing routing;

    /** How a request came from another application; null from the wire. */
    @Nullable Passage passage;

    /** Of a branch's request: what it was made from. */
    @Nullable ServletRequest template;

    /** Whose a request is that no application sent. */
    @Nullable Owner owner;

    /** What came of its Identity header; null where nobody looked. */
    private @Nullable IdentityResult verified;

    /** Who sent a request, as the gate found out. */
    @Nullable Caller caller;

    /** The credentials by which it found that out; null where they were others', or none. */
    private @Nullable Proof proof;

    /** Of a copy: what is known of the request that it was made from. */
    private Provenance copied = Provenance.NONE;

    /** Of an INVITE: why the one that it carries on was cancelled (RFC 3326). */
    private List<String> cancelReasons = List.of();

    /** Credentials of the application's own that it carries, as header values. */
    private List<String> ownCredentials = List.of();

    // ---- how it came ----

    /** It came from another application. */
    public void cameBy(Passage how) {
        passage = how;
    }

    /** How it came from another application; null where it did not. */
    public @Nullable Passage passage() {
        return passage;
    }

    /** The router has named them before a key method is asked, and there is no session yet. */
    public void routed(SessionPath.Routing said) {
        routing = said;
    }

    // ---- who sent it ----

    /** Who sent it; null when he did not show it. */
    public @Nullable Caller caller() {
        return caller;
    }

    /** The credentials that were accepted of it, here or by an application before. */
    public @Nullable Proof proof() {
        Passage by = passage;
        return proof != null || by == null ? proof : by.provenance().proof();
    }

    /** Its credentials were accepted. */
    public void proved(Proof accepted) {
        proof = accepted;
    }

    /** It is a copy of a request of which that is known. */
    public void copied(Provenance original) {
        copied = original;
    }

    /** What is known of the request that it is a copy of. */
    public Provenance copied() {
        return copied;
    }

    /** Who signed for its caller. */
    public void verified(IdentityResult result) {
        verified = result;
    }

    /** Null where nobody looked. */
    public @Nullable IdentityResult verified() {
        return verified;
    }

    /** The application answers a challenge with these. */
    public void ownCredentials(String value) {
        List<String> more = new ArrayList<>(ownCredentials);
        more.add(value);
        ownCredentials = more;
    }

    /** Values of Authorization and Proxy-Authorization that the application put in. */
    public List<String> ownCredentials() {
        return ownCredentials;
    }

    // ---- what the container does by itself ----

    /** The container writes its Session-Expires, not the application. */
    public void timed() {
        timed = true;
    }

    public boolean isTimed() {
        return timed;
    }

    /** Why the INVITE that this one carries on was cancelled: its own CANCEL will say the same. */
    public void cancelReasons(List<String> reasons) {
        cancelReasons = reasons;
    }

    List<String> cancelReasons() {
        return cancelReasons;
    }

    /** No application sent it, and none hears of its answers. */
    public void owned(Owner by) {
        owner = by;
    }
}
