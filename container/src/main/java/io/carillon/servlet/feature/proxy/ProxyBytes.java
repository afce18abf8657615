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
import java.util.Objects;
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

    /** Null where no branch of it waits for an answer by the wire. */
    public static byte @Nullable [] write(RequestProxy of) {
        ServletProxy proxy = (ServletProxy) of;
        ResponseContext core = proxy.context;
        if (core == null || core.answered() || proxy.subsequent) {
            return null;
        }
        StateWriter out = new StateWriter(1024);
        int section = out.begin(VERSION);
        out.putBoolean(proxy.getRecordRoute()).putBoolean(proxy.getParallel());
        out.putBoolean(proxy.getRecurse()).putBoolean(proxy.getSupervised());
        out.putBoolean(proxy.getAddToPath()).putBoolean(proxy.getNoCancel());
        out.putVarint(proxy.getProxyTimeout());
        int alive = 0;
        for (io.carillon.sip.proxy.ProxyBranch branch : core.branches()) {
            RequestAttempt attempt = branch.attempt();
            if (!branch.started()) {
                out.putBoolean(true).putString(branch.target().toString());
                MessageBytes.writeHop(out, null);
                out.putBytes(null);
            } else if (attempt != null && isSent(branch)) {
                alive++;
                out.putBoolean(true).putString(branch.target().toString());
                MessageBytes.writeHop(out, attempt.hop());
                out.putBytes(Objects.requireNonNull(attempt.request()).keptBytes());
            }
        }
        out.putBoolean(false);
        out.putBoolean(core.cancelled());
        for (io.carillon.sip.proxy.ProxyBranch branch : core.branches()) {
            if (isSent(branch)) {
                out.putBoolean(branch.proceeding());
            }
        }
        out.end(section);
        return alive == 0 ? null : out.toByteArray();
    }

    /** Has it left for another host, and no final response? */
    private static boolean isSent(io.carillon.sip.proxy.ProxyBranch branch) {
        RequestAttempt attempt = branch.attempt();
        Hop to = attempt == null ? null : attempt.hop();
        return branch.started()
                && !branch.ended()
                && to != null
                && !to.internal()
                && attempt.request() != null;
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
                    each.branch.goesOn(each.request, each.to, version < 3 || in.getBoolean());
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

    /** A branch that another node has started. */
    private record Sent(io.carillon.sip.proxy.ProxyBranch branch, SipRequest request, Hop to) {}

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
                    all.add(new Sent(started, sent, to));
                }
            }
        }
        return core;
    }
}
