package io.carillon.pojo;

import jakarta.inject.Inject;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import javax.servlet.sip.SipApplicationSession;
import javax.servlet.sip.SipServletMessage;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipServletResponse;
import javax.servlet.sip.SipSession;

/** Bridges calls, and looks in each message whether all that was injected belongs to its call. */
@SipHandler
@NonBlocking
public class InterleavedHandler {
    /** What belonged to another call. */
    public static final List<String> WRONG = new CopyOnWriteArrayList<>();

    /** How many messages were looked at. */
    public static final AtomicInteger LOOKED = new AtomicInteger();

    /** Runs in the middle of each look. */
    static volatile Runnable meanwhile = () -> {};

    private final ConcurrentHashMap<String, String> callOfLeg = new ConcurrentHashMap<>();

    @Inject SipSession session;
    @Inject SipApplicationSession applicationSession;
    @Inject Belongings.OfSession ofSession;
    @Inject Belongings.OfApplicationSession ofApplicationSession;
    @Inject Belongings.OfCall ofCall;

    @Invite
    @Initial
    public Plan invite(SipServletRequest request, @Header("Call-ID") String callId) {
        applicationSession.setAttribute("call", callId);
        session.setAttribute("leg", request.getSession().getId());
        callOfLeg.put(session.getId(), callId);
        look(request);
        return Plan.bridge("sip:bob@10.0.1.2");
    }

    @AnyMethod
    @InDialog
    public Plan inDialog(SipServletRequest request) {
        look(request);
        return Plan.relay();
    }

    @AnyMethod
    @Status("100-699")
    public Plan response(SipServletResponse response) {
        look(response);
        return Plan.relay();
    }

    private void look(SipServletMessage message) {
        LOOKED.incrementAndGet();
        String call = (String) message.getApplicationSession().getAttribute("call");
        String leg = message.getSession().getId();
        expect(session.getId().equals(leg), "session of " + call);
        expect(call.equals(applicationSession.getAttribute("call")), "attribute of " + call);
        meanwhile.run();
        expect(session.getId().equals(leg), "session of " + call + ", later");
        expect(ofSession.belongsTo(leg), "bean of the session of " + call);
        expect(ofApplicationSession.belongsTo(call), "bean of the application session of " + call);
        expect(ofCall.belongsTo(call), "bean of the call " + call);
    }

    private static void expect(boolean right, String what) {
        if (!right) {
            WRONG.add(what);
        }
    }
}
