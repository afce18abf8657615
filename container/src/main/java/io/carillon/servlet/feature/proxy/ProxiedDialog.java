package io.carillon.servlet.feature.proxy;

import io.carillon.servlet.kernel.DialogLife;
import io.carillon.servlet.kernel.ForwardedDialog;
import io.carillon.servlet.kernel.ServletSession;
import io.carillon.servlet.kernel.UasTransaction;
import io.carillon.servlet.port.OutboundInterfaces;
import io.carillon.sip.bytes.StateWriter;
import io.carillon.sip.dialog.DialogKey;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.header.NameAddress;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.message.Methods;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.shard.OutgoingRequest;
import io.carillon.sip.uri.SipUri;
import io.carillon.sip.uri.Uri;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import javax.servlet.sip.SipSession;
import org.jspecify.annotations.Nullable;

/**
 * What a record-routing proxy remembers of a dialog that goes through it: enough to find it by
 * either end's requests, and to send on those of an end that keeps no route set.
 *
 * <p>Owner: the turn of the application session. What is not private is what {@link
 * ProxiedDialogBytes} writes and reads.
 */
public final class ProxiedDialog implements ForwardedDialog {
    final ServletSession session;
    final String callId;
    final String callerTag;
    final boolean supervised;

    /** Begun by INVITE, not by SUBSCRIBE or REFER. */
    final boolean call;

    /** Forks that ring beside others whose tags are kept. */
    static final int MAX_FORKS = 64;

    /**
     * Characters of a tag of a fork that rings beside others: they are kept all, and who answers
     * makes them as long as he likes. RFC 3261 19.3 wants 32 bits of randomness.
     */
    private static final int MOST_TAG = 256;

    /** What came: a 2xx; and from its caller something since, without which the call is none. */
    static final int CONFIRMED = 1;

    static final int ACKNOWLEDGED = 2;

    /** By which the tables know the dialog to the callee that answered or rang last. */
    @Nullable DialogKey key;

    /** Tags of other forks that rang, the one of the key never; gone when one answers. */
    @Nullable ArrayList<String> early;

    @Nullable Uri callerTarget;
    @Nullable Uri calleeTarget;

    /** What is known of the callee's target where there was no room for it. */
    private @Nullable UnkeptTarget unkept;

    /** Between us and the callee, nearest first; between us and the caller likewise. */
    List<NameAddress> routesToCallee = List.of();

    List<NameAddress> routesToCaller = List.of();

    /** {@link #CONFIRMED}, {@link #ACKNOWLEDGED}, both or none. */
    private int came;

    final EndPlaces places = new EndPlaces();

    /** Of what that proxy forwards. */
    ProxiedDialog(ServletSession session, ServletProxy proxy) {
        UasTransaction server = proxy.server();
        SipRequest invite = server.received();
        this.session = session;
        this.places.caller = EndPlaces.proven(server.transaction());
        this.callId = invite.callId();
        String tag = invite.fromTag();
        this.callerTag = tag == null ? "" : tag;
        this.supervised = proxy.supervised;
        this.call = invite.is(Methods.INVITE);
        NameAddress contact = invite.contact();
        this.callerTarget = contact == null || contact.wildcard() ? null : contact.uri();
        this.routesToCaller = List.copyOf(invite.recordRoutes());
    }

    /** As it was when the request that began it came; of another fork. */
    private ProxiedDialog(ServletSession session, ProxiedDialog first) {
        this(session, first.callId, first.callerTag, first.supervised, first.call);
        this.callerTarget = first.callerTarget;
        this.routesToCaller = first.routesToCaller;
        this.places.caller = first.places.caller;
    }

    /** The dialog of another fork, in its session: nothing is known of its callee yet. */
    ProxiedDialog fork(ServletSession other) {
        return new ProxiedDialog(other, this);
    }

    @Override
    public boolean supervised() {
        return supervised;
    }

    @Override
    public boolean isCall() {
        return call;
    }

    @Override
    public boolean usagesOver() {
        Notifiers others = session.underWay().lingering(Notifiers.class);
        if (others != null) {
            others.firstEnded(); // RFC 6665 4.4.1: another fork may notify until Timer N
        }
        return others != null;
    }

    /** That of a session; null where its dialog does not go through a proxy of ours. */
    static @Nullable ProxiedDialog of(ServletSession session) {
        return (ProxiedDialog) session.dialog().proxied();
    }

    /** Has that come: {@link #CONFIRMED} or {@link #ACKNOWLEDGED}? */
    boolean has(int what) {
        return (came & what) != 0;
    }

    void came(int what) {
        came |= what;
    }

    /** Did the request that began it get no 2xx in the end? */
    boolean refused() {
        return !has(CONFIRMED) && session.dialog().state() == SipSession.State.TERMINATED;
    }

    /** Is it confirmed, and with another callee than this? */
    boolean belongsToOther(String tag) {
        return has(CONFIRMED) && !tag.equals(calleeTag());
    }

    /** Did its caller send that, or a callee whose tag is known? */
    boolean knows(SipRequest request) {
        String tag = request.fromTag();
        ArrayList<String> rang = early;
        return tag == null // a peer of RFC 2543
                || callerTag.equals(tag)
                || tag.equals(calleeTag())
                || (rang != null && rang.contains(tag));
    }

    /**
     * RFC 6665 4.4.1: a NOTIFY begins the dialog of a subscription, with 4.3: "it MUST add a
     * Record-Route header field to the initial SUBSCRIBE request and all NOTIFY requests".
     */
    void notified(String tag, SipRequest notify) {
        DialogKey own = key(tag);
        key = own;
        session.host().tables().addProxied(own, session);
        NameAddress contact = notify.contact();
        calleeTarget = contact == null || contact.wildcard() ? null : contact.uri();
        routesToCallee = List.copyOf(notify.recordRoutes());
        came(CONFIRMED);
        session.keep(notify);
        DialogLife.enter(session, SipSession.State.CONFIRMED);
    }

    @Nullable String calleeTag() {
        DialogKey known = key;
        return known == null ? null : known.localTag();
    }

    /**
     * A response that creates the dialog passed: its tag, target and the routes beyond us.
     *
     * @param branch the one that got it
     */
    void answered(SipResponse response, io.carillon.sip.proxy.ProxyBranch branch) {
        String tag = response.toTag();
        if (tag == null || belongsToOther(tag)) {
            return;
        }
        boolean success = response.status() >= 200;
        boolean same = tag.equals(calleeTag());
        heard(false, DialogEnds.hop(branch));
        if (success && !has(CONFIRMED)) {
            forgetEarly(); // the other early dialogs of the fork
            if (!same) {
                forgetKey();
            }
        }
        if (success || !same) {
            if (!same) {
                addEarly(calleeTag());
                notEarly(tag);
                DialogKey own = key(tag);
                key = own;
                session.host().tables().addProxied(own, session);
            }
            if (session.host().keptAddresses().refuses(response, session.countedAt())) {
                // The dialog goes on without us: we only could not end it by ourselves.
                session.host().counters().refusedAddresses.increment();
                NameAddress contact = response.contact();
                unkept =
                        UnkeptTarget.of(
                                contact == null || contact.wildcard()
                                        ? branch.target()
                                        : contact.uri());
                came(success ? CONFIRMED : 0);
                return;
            }
            session.keep(response);
            NameAddress contact = response.contact();
            if (contact != null && !contact.wildcard()) {
                calleeTarget = contact.uri();
            } else if (calleeTarget == null) {
                // RFC 3261 13.3.1.4: a 2xx MUST have one. Without it he is where he was called.
                calleeTarget = branch.target();
            }
            unkept = null;
            routesToCallee = beyond(response, branch);
        }
        came(success ? CONFIRMED : 0);
    }

    /**
     * A response waits for the turn in which it may begin the dialog with that callee. RFC 3261
     * 12.1: for the callee the dialog is there when it has sent it, so what follows is for this
     * session. On the shard.
     *
     * @return false where the dialog is known already, or another response of it waits
     */
    boolean expect(SipResponse response) {
        String tag = response.toTag();
        return tag != null
                && !tag.equals(calleeTag())
                && session.host().tables().expectProxied(key(tag), session);
    }

    /** That response, which was expected, is dropped. On the shard. */
    void expectNoMore(SipResponse response) {
        String tag = response.toTag();
        if (tag != null) {
            session.host().tables().removeProxied(key(tag), session);
        }
    }

    /** It waits no longer; the tables forget its dialog where it began none. */
    void expected(SipResponse response) {
        String tag = response.toTag();
        ArrayList<String> rang = early;
        boolean known =
                session.isValid()
                        && tag != null
                        && (tag.equals(calleeTag()) || (rang != null && rang.contains(tag)));
        if (tag != null && !known) {
            session.host().tables().removeProxied(key(tag), session);
        }
    }

    /** Its Record-Route values that lie towards the callee, nearest first. */
    private List<NameAddress> beyond(SipResponse response, io.carillon.sip.proxy.ProxyBranch from) {
        // Top to bottom: from the callee's side to the caller's. What stands above our own values
        // lies towards the callee.
        int above = response.count(HeaderName.RECORD_ROUTE) - routesToCaller.size();
        if (above <= 0 || (above == 1 && from.policy().recordRoute())) {
            return List.of(); // the usual case: one value, which is ours
        }
        above -= ownRoutes(from);
        return above <= 0
                ? List.of()
                : List.copyOf(response.recordRoutes().subList(0, above).reversed());
    }

    /** How many Record-Route values of the branch's request are ours. */
    private static int ownRoutes(io.carillon.sip.proxy.ProxyBranch branch) {
        SipRequest sent = branch.request();
        return sent == null
                ? 1
                : sent.count(HeaderName.RECORD_ROUTE)
                        - branch.context().request().count(HeaderName.RECORD_ROUTE);
    }

    /** A target refresh passed: whoever sent it is reached at its new Contact. */
    void refreshed(boolean byCaller, @Nullable NameAddress contact) {
        if (contact != null && !contact.wildcard()) {
            if (byCaller) {
                callerTarget = contact.uri();
            } else {
                calleeTarget = contact.uri();
            }
        }
    }

    /**
     * A request with the caller's tag and that of his callee came: the ACK for the 2xx, or another
     * one. The callee knows both tags: what comes from where he is shows nothing of the caller.
     */
    void acknowledgedFrom(Hop source) {
        if (!has(ACKNOWLEDGED)) {
            Hop from = OutboundInterfaces.cameIn(source);
            if (from == null
                    || DialogEnds.isAt(this, true, from)
                    || !DialogEnds.isAt(this, false, from)) {
                came(ACKNOWLEDGED);
            }
        }
    }

    /** Did the same request begin both, and does this one still wait for the ACK of its 2xx? */
    boolean waitsForAck(ProxiedDialog first) {
        return call
                && has(CONFIRMED)
                && !has(ACKNOWLEDGED)
                && callId.equals(first.callId)
                && callerTag.equals(first.callerTag);
    }

    /**
     * Is that the other end of this end's requests: its user at its host and port? RFC 3261
     * 12.2.1.1: "The UAC uses the remote target and route set to build the Request-URI".
     */
    boolean isTarget(boolean fromCaller, Uri requestUri) {
        Uri target = target(fromCaller);
        if (target == null) {
            UnkeptTarget known = unkept;
            return fromCaller && known != null && known.is(requestUri);
        }
        if (target.equals(requestUri)) {
            return true;
        }
        return NextHop.same(target, requestUri)
                && target instanceof SipUri one
                && requestUri instanceof SipUri two
                && Objects.equals(one.user(), two.user())
                && Objects.equals(one.password(), two.password());
    }

    @Override
    public boolean isOfCallee(SipResponse success, Hop from) {
        return has(CONFIRMED)
                && Objects.equals(success.toTag(), calleeTag())
                && EndPlaces.source(from) == places.callee;
    }

    @Override
    public @Nullable Hop wayBack(SipResponse success) {
        WayBack way = places.wayBack;
        return way == null ? null : way.take(success, session.host().millis());
    }

    /** Is it from the end that began the dialog? */
    @Override
    public boolean fromCaller(SipRequest request) {
        return callerTag.equals(request.fromTag());
    }

    /** Where the other end of this request's sender is. */
    @Nullable Uri target(boolean fromCaller) {
        return fromCaller ? calleeTarget : callerTarget;
    }

    List<NameAddress> routes(boolean fromCaller) {
        return fromCaller ? routesToCallee : routesToCaller;
    }

    /**
     * Does that lead where the dialog leads for requests of that end: to the other end, or to a
     * proxy in between?
     */
    boolean leadsTo(boolean fromCaller, Uri next) {
        UnkeptTarget known = unkept;
        if (NextHop.same(target(fromCaller), next)
                || (fromCaller && calleeTarget == null && known != null && known.isPlaceOf(next))) {
            return true;
        }
        List<NameAddress> between = routes(fromCaller);
        for (int i = 0; i < between.size(); i++) {
            if (NextHop.same(between.get(i).uri(), next)) {
                return true;
            }
        }
        return false;
    }

    /** That end has answered from there. */
    void heard(boolean caller, @Nullable Hop from) {
        if (from == null || from.internal()) {
            return; // an application of ours, which knows where the end is
        }
        if (caller) {
            places.caller = EndPlaces.source(from);
            session.path().answeredBy(from);
        } else {
            places.callee = EndPlaces.source(from);
        }
    }

    /**
     * Where the other end of what that end sends was heard. A caller who has proved to be a user is
     * believed what he says of his address.
     */
    long heard(boolean fromCaller) {
        if (!fromCaller && session.path().hasProvenCaller()) {
            return OutgoingRequest.ANYWHERE;
        }
        long source = fromCaller ? places.callee : places.caller;
        return source == 0 ? OutgoingRequest.NOWHERE : source;
    }

    DialogKey key(String tag) {
        return new DialogKey(callId, tag, callerTag);
    }

    void addEarly(@Nullable String tag) {
        if (tag != null) {
            ArrayList<String> list = early;
            if (list == null) {
                list = new ArrayList<>(2);
                early = list;
            }
            if (list.contains(tag)) {
                return; // two that ring by turns
            }
            if (list.size() < MAX_FORKS && tag.length() <= MOST_TAG) {
                list.add(tag);
            } else {
                session.host().tables().removeProxied(key(tag), session);
            }
        }
    }

    /** It rang before another did: now it is the one that rang last. */
    private void notEarly(String tag) {
        ArrayList<String> list = early;
        if (list != null) {
            list.remove(tag);
        }
    }

    /** The tables forget it. */
    @Override
    public void forget() {
        forgetEarly();
        forgetKey();
    }

    private void forgetEarly() {
        ArrayList<String> list = early;
        early = null;
        for (int i = 0; list != null && i < list.size(); i++) {
            session.host().tables().removeProxied(key(list.get(i)), session);
        }
    }

    private void forgetKey() {
        DialogKey known = key;
        key = null;
        if (known != null) {
            session.host().tables().removeProxied(known, session);
        }
    }

    @Override
    public void write(StateWriter out) {
        ProxiedDialogBytes.write(this, out);
    }

    /** Of which nothing more is known yet. */
    ProxiedDialog(
            ServletSession session,
            String callId,
            String callerTag,
            boolean supervised,
            boolean call) {
        this.session = session;
        this.callId = callId;
        this.callerTag = callerTag;
        this.supervised = supervised;
        this.call = call;
    }
}
