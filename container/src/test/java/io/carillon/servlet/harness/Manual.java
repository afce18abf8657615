package io.carillon.servlet.harness;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipServletResponse;
import org.jspecify.annotations.Nullable;

/** A user agent whose moves the test makes: it only rings, confirms and releases by itself. */
public final class Manual extends SipServlet {
    public final List<String> events = new ArrayList<>();
    public final List<SipServletResponse> responses = new ArrayList<>();
    public @Nullable SipServletRequest invite;
    public boolean endsForks = true;

    /** What else it does when its caller gives up. */
    public Reaction onCancel = cancel -> {};

    /** What a test lets it do. */
    public interface Reaction {
        void to(SipServletRequest request) throws IOException;
    }

    @Override
    protected void doInvite(SipServletRequest request) throws IOException {
        events.add("INVITE");
        invite = request;
        if (request.isInitial()) {
            request.createResponse(180).send();
        }
    }

    @Override
    protected void doAck(SipServletRequest request) {
        events.add("ACK");
    }

    @Override
    protected void doCancel(SipServletRequest request) throws IOException {
        events.add("CANCEL");
        onCancel.to(request);
    }

    @Override
    protected void doBye(SipServletRequest request) throws IOException {
        events.add("BYE");
        request.createResponse(200).send();
    }

    @Override
    protected void doResponse(SipServletResponse response) throws IOException {
        events.add(response.getMethod() + " " + response.getStatus());
        responses.add(response);
        if (response.getMethod().equals("INVITE") && response.getStatus() / 100 == 2) {
            response.createAck().send();
            boolean fork = response.getSession() != response.getRequest().getSession();
            if (fork && endsForks) {
                response.getSession().createRequest("BYE").send();
            }
        }
    }

    public void doInviteFor(SipServletRequest request) throws IOException {
        doInvite(request);
    }

    public void answer(int status) {
        try {
            java.util.Objects.requireNonNull(invite).createResponse(status).send();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Calls from the server. */
    public SipServletRequest call(String uri) {
        try {
            SipFactory factory = (SipFactory) getServletContext().getAttribute(SIP_FACTORY);
            SipServletRequest request =
                    factory.createRequest(
                            factory.createApplicationSession(),
                            "INVITE",
                            "sip:server@10.0.0.1",
                            uri);
            request.send();
            return request;
        } catch (javax.servlet.ServletException | IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
