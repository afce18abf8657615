package io.carillon.bridge.mobicents;

import io.carillon.servlet.app.NamedServlet;
import io.carillon.servlet.kernel.ApplicationSession;
import io.carillon.servlet.kernel.ServletSession;
import io.carillon.sip.bytes.StateReader;
import io.carillon.sip.bytes.StateWriter;
import io.carillon.sip.header.NameAddress;
import java.util.Objects;
import javax.servlet.sip.SipURI;
import org.mobicents.javax.servlet.sip.SipSessionAsynchronousWork;
import org.mobicents.javax.servlet.sip.SipSessionExt;

/** A session with Mobicents' extensions. Owner: the turn of its application session. */
final class ExtendedSession extends ServletSession implements SipSessionExt {
    private boolean copyRecordRoute;
    private boolean bypassLoadBalancer;
    private boolean bypassProxy;

    ExtendedSession(
            ApplicationSession parent,
            String callId,
            NameAddress local,
            NameAddress remote,
            NamedServlet handler) {
        super(parent, callId, local, remote, handler);
    }

    ExtendedSession(
            ApplicationSession parent,
            int ordinal,
            long createdAtMillis,
            String callId,
            NamedServlet handler,
            NameAddress nobody) {
        super(parent, ordinal, createdAtMillis, callId, handler, nobody);
    }

    @Override
    public void setOutboundInterface(SipURI outboundInterface) {
        Outbound chosen = Outbound.of(outboundInterface, application());
        setOutboundInterface(chosen.address(), chosen.transport());
    }

    @Override
    @Deprecated
    public void scheduleAsynchronousWork(SipSessionAsynchronousWork work) {
        Objects.requireNonNull(work, "work");
        AsynchronousWork.schedule(
                parent(),
                work,
                () -> {
                    if (isValid()) {
                        work.doAsynchronousWork(this);
                    }
                });
    }

    /** Remembered, and without effect: every response carries the Record-Route of its request. */
    @Override
    public void setCopyRecordRouteHeadersOnSubsequentResponses(boolean copy) {
        copyRecordRoute = copy;
    }

    @Override
    public boolean getCopyRecordRouteHeadersOnSubsequentResponses() {
        return copyRecordRoute;
    }

    /** Remembered, and without effect: no load balancer of Mobicents stands before Carillon. */
    @Override
    public void setBypassLoadBalancer(boolean bypass) {
        bypassLoadBalancer = bypass;
    }

    @Override
    public boolean getBypassLoadBalancer() {
        return bypassLoadBalancer;
    }

    /** Remembered, and without effect: Carillon sends to no proxy but those that routes name. */
    @Override
    public void setBypassProxy(boolean bypass) {
        bypassProxy = bypass;
    }

    @Override
    public boolean getBypassProxy() {
        return bypassProxy;
    }

    @Override
    protected void writeMore(StateWriter out) {
        out.putBoolean(copyRecordRoute).putBoolean(bypassLoadBalancer).putBoolean(bypassProxy);
    }

    @Override
    protected void readMore(StateReader in) {
        copyRecordRoute = in.getBoolean();
        bypassLoadBalancer = in.getBoolean();
        bypassProxy = in.getBoolean();
    }
}
