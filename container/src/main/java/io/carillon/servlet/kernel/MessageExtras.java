package io.carillon.servlet.kernel;

import io.carillon.servlet.port.Caller;
import io.carillon.servlet.port.IdentityResult;
import io.carillon.servlet.port.Passage;
import io.carillon.servlet.port.Proof;
import io.carillon.servlet.port.Provenance;
import io.carillon.sip.hop.Hop;
import java.util.List;
import java.util.Map;
import javax.servlet.sip.SipServletMessage.HeaderForm;
import javax.servlet.sip.ar.SipApplicationRoutingDirective;
import org.jspecify.annotations.Nullable;

/** What few messages have beside themselves; made for those. Owner: the message's. */
final class MessageExtras {
    @Nullable Map<String, Object> attributes;

    /** Set by {@code setCharacterEncoding}; goes before what Content-Type says. */
    @Nullable String encoding;

    HeaderForm headerForm = HeaderForm.DEFAULT;
    @Nullable SipApplicationRoutingDirective directive;

    /** What the router said of it, before it has a session. */
    SessionPath.@Nullable Routing routing;

    /** How a request came from another application; null from the wire. */
    @Nullable Passage passage;

    /** Of a response that never came: where its request went, for applications that look there. */
    @Nullable Hop tried;

    /** Of a branch's request: what it was made from. */
    @Nullable ServletRequest template;

    /** Did the container write its Session-Expires, and not the application? */
    boolean timed;

    /** Did the application change From or To, of which the peer knows nothing? */
    boolean renamed;

    /** Of an INVITE: why the one that it carries on was cancelled (RFC 3326). */
    List<String> cancelReasons = List.of();

    /** Whose a request is that no application sent. */
    @Nullable OwnRequest owner;

    /** What came of its Identity header; null where nobody looked. */
    @Nullable IdentityResult verified;

    /** Who sent a request, as the gate found out. */
    @Nullable Caller caller;

    /** The credentials by which it found that out; null where they were others', or none. */
    @Nullable Proof proof;

    /** Of a copy: what is known of the request that it was made from. */
    Provenance copied = Provenance.NONE;

    /** Credentials of the application's own that it carries, as header values. */
    List<String> ownCredentials = List.of();
}
