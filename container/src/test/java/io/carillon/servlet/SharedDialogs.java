package io.carillon.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.app.ApplicationDescription;
import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.harness.RawPeer;
import io.carillon.servlet.harness.Server;
import io.carillon.sip.header.NameAddress;
import io.carillon.sip.message.SipResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import javax.servlet.ServletException;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipServletResponse;
import javax.servlet.sip.SipSession;

/** Calls whose dialog a subscription shares, and the telephone that we are. */
abstract class SharedDialogs {
    static final String CALLER = "<sip:a@10.0.0.2>;tag=a";
    static final String ACTIVE = "Subscription-State: active;expires=60";
    static final String OVER = "Subscription-State: terminated;reason=noresource";
    static final String REFER = "Event: refer";

    final Server server = Server.fresh(57);
    final RawPeer alice = server.peer("10.0.0.2");
    final RawPeer bob = server.peer("10.0.0.3");
    final Phone phone = new Phone();

    /** Answers everything, and proxies calls to bob. */
    static final class Phone extends SipServlet {
        final List<String> seen = new ArrayList<>();
        SipSession session;

        @Override
        protected void doRequest(SipServletRequest request) throws ServletException, IOException {
            seen.add(request.getMethod());
            session = request.getSession();
            if (session.getAttribute("proxy") != null) {
                return;
            }
            if (request.isInitial() && request.getRequestURI().toString().contains("bob")) {
                session.setAttribute("proxy", "yes");
                request.getProxy().setRecordRoute(true);
                request.getProxy().proxyTo(factory().createURI("sip:b@10.0.0.3:5060"));
                return;
            }
            switch (request.getMethod()) {
                case "ACK" -> {}
                case "REFER" -> request.createResponse(202).send();
                default -> {
                    SipServletResponse ok = request.createResponse(200);
                    if (request.getMethod().equals("SUBSCRIBE")) {
                        ok.setExpires(request.getExpires());
                    }
                    ok.send();
                }
            }
        }

        @Override
        protected void doResponse(SipServletResponse response) throws IOException {
            seen.add(response.getMethod() + " " + response.getStatus());
            session = response.getSession();
            if (response.getMethod().equals("INVITE")
                    && response.getStatus() < 300
                    && response.getProxy() == null) {
                response.createAck().send();
            }
        }

        SipFactory factory() {
            return (SipFactory) getServletContext().getAttribute(SIP_FACTORY);
        }

        void call() throws ServletException, IOException {
            factory()
                    .createRequest(
                            factory().createApplicationSession(),
                            "INVITE",
                            "sip:server@10.0.0.1",
                            "sip:a@10.0.0.2:5060")
                    .send();
        }

        void send(String method, String... headers) throws IOException {
            SipServletRequest request = session.createRequest(method);
            for (String header : headers) {
                int colon = header.indexOf(':');
                request.setHeader(header.substring(0, colon), header.substring(colon + 2));
            }
            request.send();
        }
    }

    void deploy(ExecutionMode mode) throws Exception {
        server.container.deploy(
                ApplicationDescription.builder("test")
                        .servlet("main", () -> phone)
                        .sessionTimeoutMinutes(0)
                        .execution(mode)
                        .build());
    }

    void settle() {
        server.run(Duration.ofMillis(50));
    }

    void assertOver() {
        server.run(Duration.ofSeconds(70));
        server.assertEmpty();
        assertThat(server.container.counters().subscriptions.sum()).isZero();
    }

    // ---- we were called ----

    /** What alice sends in the call. */
    SipResponse within(String method, SipResponse ok, int cseq, int status, String... more) {
        List<String> headers = new ArrayList<>(List.of(more));
        headers.add("Contact: <sip:10.0.0.2:5060>");
        NameAddress target = Objects.requireNonNull(ok.contact());
        alice.request(
                method + " " + target.uri(),
                CALLER,
                ok.to().toString(),
                "c1",
                cseq,
                headers.toArray(String[]::new));
        return method.equals("ACK") ? ok : alice.response(status);
    }

    SipResponse called() {
        alice.request(
                "INVITE sip:phone@10.0.0.1",
                CALLER,
                "<sip:phone@10.0.0.1>",
                "c1",
                1,
                "Contact: <sip:10.0.0.2:5060>");
        SipResponse ok = alice.response(200);
        within("ACK", ok, 1, 0);
        settle();
        return ok;
    }

    void tell(String... headers) throws IOException {
        phone.send("NOTIFY", headers);
        alice.respond(alice.request("NOTIFY"), 200, "");
        settle();
    }
}
