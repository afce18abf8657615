package io.carillon.servlet.feature.proxy;

import io.carillon.servlet.kernel.MessageBytes;
import io.carillon.servlet.kernel.RequestProxy;
import io.carillon.servlet.kernel.ServletRequest;
import io.carillon.sip.bytes.SipParseException;
import io.carillon.sip.bytes.StateFormatException;
import io.carillon.sip.bytes.StateReader;
import io.carillon.sip.bytes.StateWriter;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.proxy.ProxyPolicy;
import io.carillon.sip.proxy.ResponseContext;
import io.carillon.sip.shard.RequestAttempt;
import io.carillon.sip.uri.Uri;
import java.util.ArrayList;
import java.util.List;
import javax.servlet.sip.TooManyHopsException;
import org.jspecify.annotations.Nullable;

/**
 * The proxy of an INVITE that is under way, in the record of its call: what the application has
 * set, the branches that wait for an answer, and the targets that were not tried yet. Timer C and
 * the proxy's own time-out begin anew at the next node; what a branch was refused with is
 * forgotten. With the turn held.
 */
public final class ProxyBytes {
    /** Since 2 it says whether the request was given up, since 3 which branches were heard. */
    private static final int VERSION = 3;

    private static final int MOST_BRANCHES = 1_000;

    private ProxyBytes() {}

    /** Does a branch of it wait for an answer by the wire? Another proxy has no bytes. */
    public static boolean goes(RequestProxy of) {
        ServletProxy proxy = (ServletProxy) of;
        ResponseContext core = proxy.context;
        if (core == null || core.answered() || proxy.subsequent) {
            return false;
        }
        for (io.carillon.sip.proxy.ProxyBranch branch : core.branches()) {
            if (waits(branch)) {
                return true;
            }
        }
        return false;
    }

    private static boolean waits(io.carillon.sip.proxy.ProxyBranch branch) {
        RequestAttempt attempt = branch.attempt();
        if (!branch.started() || branch.ended() || attempt == null || attempt.request() == null) {
            return false;
        }
        Hop to = attempt.hop();
        return to != null && !to.internal();
    }

    /** Null where it does not go ({@link #goes}). */
    public static byte @Nullable [] write(RequestProxy of) {
        ServletProxy proxy = (ServletProxy) of;
        ResponseContext core = proxy.context;
        if (core == null || !goes(of)) {
            return null;
        }
        StateWriter out = new StateWriter(1024);
        int section = out.begin(VERSION);
        out.putBoolean(proxy.getRecordRoute()).putBoolean(proxy.getParallel());
        out.putBoolean(proxy.getRecurse()).putBoolean(proxy.getSupervised());
        out.putBoolean(proxy.getAddToPath()).putBoolean(proxy.getNoCancel());
        out.putVarint(proxy.getProxyTimeout());
        List<Boolean> heard = new ArrayList<>();
        for (io.carillon.sip.proxy.ProxyBranch branch : core.branches()) {
            RequestAttempt attempt = branch.attempt();
            SipRequest sent = attempt == null ? null : attempt.request();
            if (!branch.started()) {
                out.putBoolean(true).putString(branch.target().toString());
                MessageBytes.writeHop(out, null);
                out.putBytes(null);
            } else if (attempt != null && sent != null && waits(branch)) {
                heard.add(branch.proceeding());
                out.putBoolean(true).putString(branch.target().toString());
                MessageBytes.writeHop(out, attempt.hop());
                out.putBytes(sent.keptBytes());
            }
        }
        out.putBoolean(false);
        out.putBoolean(core.cancelled());
        heard.forEach(out::putBoolean);
        out.end(section);
        return out.toByteArray();
    }

    /** Has a request left of which nothing says that it has arrived? With the turn held. */
    static boolean isUnheard(ResponseContext core) {
        for (io.carillon.sip.proxy.ProxyBranch branch : core.branches()) {
            if (branch.started() && !branch.ended() && !branch.proceeding()) {
                return true;
            }
        }
        return false;
    }

    /** The proxy goes on. */
    public static void read(ServletRequest request, byte[] bytes) {
        StateReader in = new StateReader(bytes);
        int version = in.begin();
        try {
            if (request.getProxy(true) instanceof ServletProxy proxy) {
                settings(proxy, in);
                List<Sent> sent = new ArrayList<>();
                ResponseContext core = branches(proxy, in, sent);
                boolean cancelled = version >= 2 && in.getBoolean();
                for (Sent each : sent) {
                    // What a build from before wrote does not say.
                    boolean heard = version < 3 || in.getBoolean();
                    if (each.branch != null) {
                        each.branch.goesOn(each.request, each.to, heard || cancelled);
                    }
                }
                core.start();
                if (cancelled) {
                    // Whether a CANCEL arrived is not known; one more does no harm.
                    core.cancel(null);
                }
            }
        } catch (TooManyHopsException | SipParseException e) {
            throw new StateFormatException("the proxy of an INVITE", e);
        }
        in.end();
    }

    private static void settings(ServletProxy proxy, StateReader in) {
        proxy.setRecordRoute(in.getBoolean());
        proxy.setParallel(in.getBoolean());
        proxy.setRecurse(in.getBoolean());
        proxy.setSupervised(in.getBoolean());
        proxy.setAddToPath(in.getBoolean());
        proxy.setNoCancel(in.getBoolean());
        proxy.setProxyTimeout(in.getCount(Integer.MAX_VALUE));
    }

    /**
     * A branch that another node has started.
     *
     * @param branch null where there is none of that kind any more
     */
    private record Sent(
            io.carillon.sip.proxy.@Nullable ProxyBranch branch, SipRequest request, Hop to) {}

    private static ResponseContext branches(ServletProxy proxy, StateReader in, List<Sent> all)
            throws SipParseException {
        ResponseContext core = proxy.newContext();
        proxy.context = core;
        proxy.server().forwardedBy();
        ProxyPolicy common = core.policy();
        for (int i = 0; in.getBoolean(); i++) {
            if (i == MOST_BRANCHES) {
                throw new StateFormatException("more than " + MOST_BRANCHES + " branches");
            }
            Uri target = Uri.parse(in.needString());
            Hop to = MessageBytes.readHop(in);
            byte[] left = in.getBytes();
            ServletProxyBranch branch = proxy.newBranch(target);
            if (to == null || left == null) {
                RequestForwarding.begin(proxy, core, branch, common);
            } else if (proxy.session.parent().home().parseOwn(left) instanceof SipRequest sent) {
                MessageDraft prepared = MessageDraft.copyOf(sent);
                prepared.setRequestUri(target);
                io.carillon.sip.proxy.ProxyBranch started = core.addBranch(prepared);
                if (started != null) {
                    branch.core(started);
                    started.policy(branch.policy(common));
                }
                all.add(new Sent(started, sent, to));
            }
        }
        return core;
    }
}
