package io.carillon.bridge.mobicents;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.servlet.ServletException;
import javax.servlet.sip.ProxyBranch;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipServletResponse;
import javax.servlet.sip.SipSessionsUtil;
import org.mobicents.javax.servlet.sip.ProxyBranchListener;
import org.mobicents.javax.servlet.sip.ResponseType;

/** A servlet whose handlers a test writes; what nobody wrote is answered 200. */
final class Scripted extends SipServlet implements ProxyBranchListener {
    interface Handler<T> {
        void handle(T message) throws ServletException, IOException;
    }

    final Map<String, Handler<SipServletRequest>> on = new HashMap<>();
    final List<SipServletRequest> requests = new ArrayList<>();
    final List<SipServletResponse> responses = new ArrayList<>();
    final List<String> branchTimeouts = new ArrayList<>();
    Handler<SipServletResponse> onResponse = response -> {};

    @Override
    protected void doRequest(SipServletRequest request) throws ServletException, IOException {
        requests.add(request);
        Handler<SipServletRequest> handler = on.get(request.getMethod());
        if (handler != null) {
            handler.handle(request);
        } else if (!request.getMethod().equals("ACK")) {
            request.createResponse(200).send();
        }
    }

    @Override
    protected void doResponse(SipServletResponse response) throws ServletException, IOException {
        responses.add(response);
        onResponse.handle(response);
    }

    @Override
    public void onProxyBranchResponseTimeout(ResponseType type, ProxyBranch branch) {
        branchTimeouts.add(type + " " + branch.getRequest().getRequestURI());
    }

    SipFactory factory() {
        return (SipFactory) getServletContext().getAttribute(SIP_FACTORY);
    }

    SipSessionsUtil util() {
        return (SipSessionsUtil) getServletContext().getAttribute(SIP_SESSIONS_UTIL);
    }

    /** Calls a member of an interface that no class here is compiled against. */
    static Object call(Object on, String type, String name, Class<?>[] types, Object... arguments)
            throws ReflectiveOperationException {
        return Class.forName("org.mobicents.javax.servlet.sip." + type)
                .getMethod(name, types)
                .invoke(on, arguments);
    }
}
