package io.carillon.servlet.kernel;

import io.carillon.servlet.header.Addresses;
import io.carillon.sip.dialog.Dialog;
import io.carillon.sip.dialog.DialogKey;
import io.carillon.sip.header.NameAddress;
import io.carillon.sip.message.Methods;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.token.ShardToken;
import io.carillon.sip.uri.Uri;
import java.util.List;
import javax.servlet.sip.Address;
import org.jspecify.annotations.Nullable;

/**
 * The dialog of a session, or the place where one may come to be: its parties, its state and the
 * key by which requests find it. Nothing else changes its state, but for {@link SessionBytes}.
 *
 * <p>Owner: the turn of the application session. {@link #state} is volatile, for those who only
 * look.
 */
public abstract sealed class SessionDialog extends SessionPath permits ServletSession {
    private final String callId;
    ServletSession.Role role = ServletSession.Role.NONE;
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

    /** Before a dialog perhaps without our tag; see {@link #local()}. */
    NameAddress local;

    NameAddress remote;
    @Nullable Dialog dialog;
    @Nullable ForwardedDialog proxied;

    /** Where a request before any dialog goes, and its CSeq. */
    @Nullable Uri target;

    long localCSeq;
    @Nullable DialogKey key;

    SessionDialog(ApplicationSession parent, String callId, NameAddress local, NameAddress remote) {
        super(parent);
        this.callId = callId;
        this.local = local;
        this.remote = remote;
    }

    private ServletSession whole() {
        return (ServletSession) this;
    }

    /**
     * The initial request that made this session, as long as it may be answered: for further
     * answers of forks behind a B2BUA.
     */
    public abstract @Nullable UasTransaction original();

    /** The state is TERMINATED from now on. */
    abstract void terminated();

    /** The call is over: nothing refreshes it, and no answer of it is awaited. */
    abstract void callOver();

    public ServletSession.Role role() {
        return role;
    }

    public void become(ServletSession.Role role) {
        this.role = role;
    }

    public @Nullable Dialog dialog() {
        return dialog;
    }

    /** The dialog begins by a message of this method: the tables learn its key. */
    public void begin(Dialog dialog, String method) {
        boolean subscribes = !method.equals("INVITE");
        if (subscribes != subscription) {
            subscription = subscribes;
            host().counters().subscriptions.add(subscribes ? 1 : -1);
            host().rooms().subscriptions(whole().countedAt(), subscribes ? 1 : -1);
        }
        this.dialog = dialog;
        this.localTag = dialog.localTag();
        this.local = dialog.local();
        this.remote = dialog.remote();
        register(dialog.key());
    }

    /**
     * Requests with this key are this session's. An earlier key (of the half dialog before the
     * first answer) goes.
     */
    public void register(DialogKey newKey) {
        DialogKey old = key;
        if (newKey.equals(old)) {
            return;
        }
        key = newKey;
        // Never without a key: a shard may look just now (InDialogRequests.find).
        host().tables().addDialog(newKey, whole());
        if (old != null) {
            host().tables().removeDialog(old, whole());
        }
    }

    /** A dialog that INVITE has begun, of our own or through a proxy of ours. */
    public boolean isCall() {
        ForwardedDialog through = proxied;
        return !subscription && (through == null ? dialog != null : through.isCall());
    }

    public @Nullable ForwardedDialog proxied() {
        return proxied;
    }

    public void begin(ForwardedDialog proxiedDialog) {
        this.proxied = proxiedDialog;
    }

    /** The session's state follows its dialog after each message. */
    public void follow() {
        Dialog mine = dialog;
        if (mine != null) {
            if (mine.state() == Dialog.State.CONFIRMED) {
                target = null; // from now on the dialog knows
            }
            enter(
                    switch (mine.state()) {
                        case EARLY -> State.EARLY;
                        case CONFIRMED -> State.CONFIRMED;
                        case TERMINATED -> State.TERMINATED;
                    });
        }
    }

    /**
     * A response waits for the turn in which it may begin the dialog of that key. RFC 3261 12.1:
     * for the peer the dialog is there when it has sent it, so what follows is for this session. On
     * the shard.
     *
     * @return the key, for {@link #expected}; null where the dialog is known
     */
    public @Nullable DialogKey expect(SipResponse response) {
        DialogKey known = key;
        String tag = response.toTag();
        if (tag == null || (known != null && known.remoteTag().equals(tag))) {
            return null;
        }
        DialogKey begun = DialogKey.ofIncoming(response);
        return host().tables().expectDialog(begun, whole()) ? begun : null;
    }

    /** The response waits no longer; the tables forget its dialog where it began none. */
    public void expected(DialogKey begun) {
        if (!whole().isValid() || !begun.equals(key)) {
            host().tables().removeDialog(begun, whole());
        }
    }

    /** RFC 6665 4.4.1: until Timer N, a NOTIFY with our half of a dialog is for this session. */
    public void awaitNotify(DialogKey half) {
        host().tables().addDialog(half, whole());
    }

    /** Timer N has fired, or the session ends. */
    public void notifyAwaited(DialogKey half) {
        host().tables().removeDialog(half, whole());
    }

    /**
     * RFC 5057: a subscription uses the dialog, or does so no longer; with the last one the dialog
     * ends, unless a call uses it too.
     *
     * @param usage tells subscriptions apart
     * @param seconds how long it lives unless it is refreshed
     */
    public void used(String usage, boolean over, long seconds) {
        if (dialog == null && proxied == null) {
            return;
        }
        if (!over) {
            seldom().use(usage, host().millis() + 1_000L * seconds);
            return;
        }
        SessionExtras rare = seldom;
        if (rare != null) {
            rare.leave(usage);
        }
        boolean subscribed = subscription || (proxied != null && !proxied.isCall());
        if (subscribed && usages().isEmpty()) {
            usagesOver();
        }
    }

    /** Is that a subscription that uses the dialog? */
    public boolean knows(String usage) {
        SessionExtras rare = seldom;
        return rare != null && rare.at(usage) >= 0;
    }

    private List<String> usages() {
        SessionExtras rare = seldom;
        return rare == null ? List.of() : rare.usages;
    }

    /** Timer N: no further notifier. */
    public void notifiersOver() {
        if (usages().isEmpty()) {
            usagesOver();
        }
    }

    /** No subscription uses the dialog any more, and no call does. */
    void usagesOver() {
        ForwardedDialog through = proxied;
        if (through == null) {
            subscriptionEnded();
        } else if (!through.usagesOver()) {
            enter(State.TERMINATED);
        }
    }

    /**
     * RFC 5057: does another usage keep the dialog when the one ends that a request belongs to? Of
     * one that belongs to none, as OPTIONS (5.3): are there more than one?
     *
     * @param usage which subscription a SUBSCRIBE means; it does not matter for the others
     */
    public boolean shared(String method, String usage) {
        SessionExtras rare = seldom;
        if (rare == null) {
            return sharedByTheCall(method);
        }
        return refuses(method) ? keptBySubscriptions() : shared(method, usage, rare);
    }

    /** No subscription is known. */
    private boolean sharedByTheCall(String method) {
        return !subscription
                && switch (method) {
                    case Methods.REFER, Methods.SUBSCRIBE, Methods.NOTIFY -> true;
                    default -> false;
                };
    }

    private boolean shared(String method, String usage, SessionExtras rare) {
        int subscriptions = rare.usages.size();
        int all = subscription ? subscriptions : subscriptions + 1;
        return switch (method) {
            case Methods.BYE -> keptBySubscriptions();
            case Methods.REFER -> all > 0;
            // A refused SUBSCRIBE for a new event ends no other subscription (RFC 6665 4.4.1).
            case Methods.SUBSCRIBE -> all > (knows(usage) ? 1 : 0);
            case Methods.NOTIFY -> !subscription || subscriptions > 1;
            default -> all > 1;
        };
    }

    /** RFC 5057 4.1: do subscriptions keep the dialog of a call when that ends, or has ended? */
    public boolean keptBySubscriptions() {
        SessionExtras rare = seldom;
        return rare != null && !rare.usages.isEmpty() && (!subscription || rare.hungUp);
    }

    /**
     * The call has ended: its BYE was answered, or the peer knows it no longer. RFC 5057 4.1: the
     * dialog stays for the subscriptions that use it, until the last of them ends.
     */
    public void hungUp() {
        if (subscription || usages().isEmpty()) {
            return;
        }
        boolean room = !host().rooms().fullOfSubscriptions(whole().countedAt());
        seldom().hungUp = true;
        subscription = true;
        host().counters().subscriptions.increment();
        host().rooms().subscriptions(whole().countedAt(), 1);
        if (room) {
            callOver();
            LastUsages.await(whole());
        } else {
            usagesOver(); // as if it had no subscriptions
        }
    }

    /**
     * Is it a request of the call in a dialog that only subscriptions use any more? RFC 5057 5.3:
     * what matches no usage gets 481.
     */
    public boolean refuses(String method) {
        SessionExtras rare = seldom;
        return rare != null
                && rare.hungUp
                && switch (method) {
                    case Methods.INVITE, Methods.UPDATE, Methods.BYE, Methods.PRACK, Methods.INFO ->
                            true;
                    default -> false;
                };
    }

    /** RFC 6665 4.4.1: a NOTIFY that ends the subscription ends a dialog that has no other use. */
    public void subscriptionEnded() {
        Dialog mine = dialog;
        if (subscription && mine != null) {
            mine.terminate();
            follow();
        }
    }

    /** Does it belong to a call, not to a subscription or to requests outside of dialogs? */
    public boolean byInvite() {
        return !subscription;
    }

    /** The one place where the state changes. TERMINATED is the last. */
    public void enter(State to) {
        if (state == to || state == State.TERMINATED) {
            return;
        }
        host().counters().moved(state, to);
        state = to;
        if (to == State.TERMINATED) {
            terminated();
        }
        if (to == State.TERMINATED || to == State.INITIAL) {
            parent().mayBeReady();
        }
    }

    /**
     * SIP Servlet 1.1, 6.2.1: a UAC whose early dialog failed is where it began, and may send
     * again.
     */
    public void fallBack() {
        DialogKey old = key;
        dialog = null;
        remote = SessionRequests.withoutTag(remote);
        if (old != null) {
            host().tables().removeDialog(old, whole());
            key = null;
        }
        complete();
        enter(State.INITIAL);
    }

    /** Nothing more is to come unless the application begins it. */
    public void complete() {
        completed = true;
        parent().mayBeReady();
    }

    public NameAddress local() {
        NameAddress own = local;
        String tag = own.tag() == null ? localTag() : null;
        if (tag != null) {
            own = own.withTag(tag);
            local = own;
        }
        return own;
    }

    /**
     * The application changed From or To of the initial request, which is about to leave.
     *
     * @param from with our tag
     */
    public void rename(NameAddress from, NameAddress to) {
        local = from;
        remote = SessionRequests.withoutTag(to);
    }

    /** As {@link #local()}, perhaps without our tag: for who only looks, from any thread. */
    public NameAddress knownLocal() {
        return local;
    }

    public NameAddress remote() {
        return remote;
    }

    /** Made on first use: that of the initial request's transaction, as long as it is open. */
    public String localTag() {
        String tag = localTag;
        if (tag == null) {
            UasTransaction initial = original();
            tag = initial == null ? parent().home().newTag() : initial.transaction().localTag();
            localTag = tag;
        }
        return tag;
    }

    @Override
    final boolean hasTagOfOurs() {
        String tag = localTag;
        return tag != null && ShardToken.isWhole(parent().home().config().nodeId(), tag);
    }

    public void setLocalTag(String tag) {
        localTag = tag;
    }

    public long nextCSeq() {
        completed = false;
        return ++localCSeq;
    }

    public void setTarget(Uri target) {
        this.target = target;
    }

    public @Nullable Uri target() {
        return target;
    }

    public long localCSeq() {
        return localCSeq;
    }

    @Override
    public String getCallId() {
        return callId;
    }

    @Override
    public State getState() {
        checkValid();
        return state;
    }

    /** The state, of an ended session too. */
    public State state() {
        return state;
    }

    @Override
    public Address getLocalParty() {
        return Addresses.readOnly(local());
    }

    @Override
    public Address getRemoteParty() {
        return Addresses.readOnly(remote);
    }
}
