package io.carillon.servlet.kernel;

import io.carillon.sip.dialog.Dialog;
import io.carillon.sip.dialog.DialogKey;
import io.carillon.sip.header.NameAddress;
import io.carillon.sip.message.Methods;
import io.carillon.sip.token.OwnTokens;
import io.carillon.sip.uri.Uri;
import java.util.List;
import javax.servlet.sip.SipSession.State;
import org.jspecify.annotations.Nullable;

/**
 * The dialog of a session, or the place where one may come to be, a part of {@link ServletSession}:
 * its parties, its state and the key by which requests find it. What happens to it is {@link
 * DialogLife}; nothing else changes its state, but for {@link SessionBytes}.
 *
 * <p>Owner: the turn of the application session. {@link #state} is volatile, for those who only
 * look.
 */
public final class SessionDialog {
    /** What the application is in this session; NONE until the first message decides. */
    public enum Role {
        NONE,
        UAC,
        UAS,
        PROXY
    }

    final String callId;
    Role role = Role.NONE;
    volatile State state = State.INITIAL;

    /**
     * A final failure brought a UAC back to INITIAL, or a request that creates no dialog is
     * answered.
     */
    boolean completed;

    /** Begun by SUBSCRIBE, NOTIFY or REFER: over when the subscription is. */
    boolean subscription;

    /** Our tag before (and in) a dialog; null while nobody needs one, as for a proxy. */
    @Nullable String localTag;

    /** Before a dialog perhaps without our tag; see {@link ServletSession#local()}. */
    NameAddress local;

    NameAddress remote;
    @Nullable Dialog own;

    /** In a record that was read: a BYE of ours was under way. */
    boolean ends;

    @Nullable ForwardedDialog proxied;

    /** Where a request before any dialog goes, and its CSeq. */
    @Nullable Uri target;

    long localCSeq;
    @Nullable DialogKey key;

    /** Null while no subscription uses the dialog. */
    @Nullable DialogUsages usages;

    SessionDialog(String callId, NameAddress local, NameAddress remote) {
        this.callId = callId;
        this.local = local;
        this.remote = remote;
    }

    public Role role() {
        return role;
    }

    public void become(Role role) {
        this.role = role;
    }

    /** The dialog in which we are a user agent; null where there is none. */
    public @Nullable Dialog own() {
        return own;
    }

    /** The dialog that passes through a proxy of ours; null where there is none. */
    public @Nullable ForwardedDialog proxied() {
        return proxied;
    }

    public void begin(ForwardedDialog through) {
        proxied = through;
    }

    /** The state, of an ended session too. Any thread. */
    public State state() {
        return state;
    }

    /** Nothing is open: is nothing more to come of it, unless the application begins it? */
    boolean over() {
        return switch (state) {
            case TERMINATED -> true;
            case INITIAL -> completed;
            default -> false;
        };
    }

    // ---- what uses it ----

    /** A dialog that INVITE has begun, of our own or through a proxy of ours. */
    public boolean isCall() {
        ForwardedDialog through = proxied;
        return !subscription && (through == null ? own != null : through.isCall());
    }

    /** Does it belong to a call, not to a subscription or to requests outside of dialogs? */
    public boolean byInvite() {
        return !subscription;
    }

    DialogUsages usages() {
        DialogUsages mine = usages;
        if (mine == null) {
            mine = new DialogUsages();
            usages = mine;
        }
        return mine;
    }

    List<String> subscriptions() {
        DialogUsages mine = usages;
        return mine == null ? List.of() : mine.names;
    }

    /** Is that a subscription that uses the dialog? */
    public boolean knows(String usage) {
        DialogUsages mine = usages;
        return mine != null && mine.has(usage);
    }

    /**
     * RFC 5057: does another usage keep the dialog when the one ends that a request belongs to? Of
     * one that belongs to none, as OPTIONS (5.3): are there more than one?
     *
     * @param usage which subscription a SUBSCRIBE means; it does not matter for the others
     */
    public boolean shared(String method, String usage) {
        DialogUsages mine = usages;
        if (mine == null) {
            return sharedByTheCall(method);
        }
        return refuses(method) ? keptBySubscriptions() : shared(method, usage, mine);
    }

    /** No subscription is known. */
    private boolean sharedByTheCall(String method) {
        return !subscription
                && switch (method) {
                    case Methods.REFER, Methods.SUBSCRIBE, Methods.NOTIFY -> true;
                    default -> false;
                };
    }

    private boolean shared(String method, String usage, DialogUsages mine) {
        int subscriptions = mine.names.size();
        int all = subscription ? subscriptions : subscriptions + 1;
        return switch (method) {
            case Methods.BYE -> keptBySubscriptions();
            case Methods.REFER -> all > 0;
            // A refused SUBSCRIBE for a new event ends no other subscription (RFC 6665 4.4.1).
            case Methods.SUBSCRIBE -> all > (mine.has(usage) ? 1 : 0);
            case Methods.NOTIFY -> !subscription || subscriptions > 1;
            default -> all > 1;
        };
    }

    /** RFC 5057 4.1: do subscriptions keep the dialog of a call when that ends, or has ended? */
    public boolean keptBySubscriptions() {
        DialogUsages mine = usages;
        return mine != null && !mine.names.isEmpty() && (!subscription || mine.hungUp);
    }

    /**
     * Is it a request of the call in a dialog that only subscriptions use any more? RFC 5057 5.3:
     * what matches no usage gets 481.
     */
    public boolean refuses(String method) {
        DialogUsages mine = usages;
        return mine != null
                && mine.hungUp
                && switch (method) {
                    case Methods.INVITE, Methods.UPDATE, Methods.BYE, Methods.PRACK, Methods.INFO ->
                            true;
                    default -> false;
                };
    }

    // ---- its parties ----

    /** Our party, before a dialog perhaps without our tag: for who only looks. Any thread. */
    public NameAddress knownLocal() {
        return local;
    }

    public NameAddress remote() {
        return remote;
    }

    /**
     * The application changed From or To of the initial request, which is about to leave.
     *
     * @param from with our tag
     */
    public void rename(NameAddress from, NameAddress to) {
        local = from;
        remote = withoutTag(to);
    }

    /** What a session outside of a dialog says of the other side. */
    static NameAddress withoutTag(NameAddress address) {
        return address.tag() == null ? address : address.withoutParam("tag");
    }

    public void setLocalTag(String tag) {
        localTag = tag;
    }

    /**
     * Was its local tag chosen here? RFC 3261 8.2.6.2: an answer repeats the To tag of its request,
     * so who begins a dialog by a request with one knows "our" tag before he has seen anything.
     *
     * @param own this server's tokens
     */
    boolean hasTagOf(OwnTokens own) {
        String tag = localTag;
        return tag != null && own.isOne(tag);
    }

    // ---- its requests ----

    public long nextCSeq() {
        completed = false;
        return ++localCSeq;
    }

    public long localCSeq() {
        return localCSeq;
    }

    public void setTarget(Uri uri) {
        target = uri;
    }

    public @Nullable Uri target() {
        return target;
    }
}
