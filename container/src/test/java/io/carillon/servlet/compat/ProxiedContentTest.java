package io.carillon.servlet.compat;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.harness.RawPeer;
import io.carillon.servlet.harness.Server;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import javax.servlet.ServletException;
import javax.servlet.sip.Proxy;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipServletResponse;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A proxy application that writes another body into the responses that pass it. */
class ProxiedContentTest {
    private static final String FROM = "<sip:a@x>;tag=a";
    private static final String BODY = "as it came";

    private static class Writing extends SipServlet {
        private final @Nullable String content;

        Writing(@Nullable String content) {
            this.content = content;
        }

        @Override
        protected void doRequest(SipServletRequest request) throws ServletException, IOException {
            if (!request.isInitial()) {
                return;
            }
            SipFactory factory = (SipFactory) getServletContext().getAttribute(SIP_FACTORY);
            Proxy proxy = request.getProxy();
            proxy.setRecordRoute(true);
            proxy.proxyTo(factory.createURI("sip:b@10.0.0.3"));
        }

        @Override
        protected void doResponse(SipServletResponse response) {
            write(response);
        }

        final void write(SipServletResponse response) {
            try {
                response.setContent(content, content == null ? null : "text/html");
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private static String body(SipResponse response) {
        return new String(response.body(), StandardCharsets.UTF_8);
    }

    private static RawPeer alice(Server server) {
        RawPeer alice = server.peer("10.0.0.2");
        alice.request(
                "INVITE sip:b@10.0.0.1",
                FROM,
                "<sip:b@y>",
                "c1",
                1,
                "Contact: <sip:10.0.0.2:5060>");
        return alice;
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "null",
            value = {
                "183, other",
                "200, other",
                "486, other",
                "183, null",
                "200, null",
                "486, null"
            })
    void whatTheApplicationWroteLeaves(int status, @Nullable String content) {
        Server server = Server.fresh(1).deploy(new Writing(content), ExecutionMode.NON_BLOCKING);
        RawPeer bob = server.peer("10.0.0.3");
        RawPeer alice = alice(server);
        bob.respond(
                bob.request("INVITE"),
                status,
                "b",
                "Contact: <sip:10.0.0.3:5060>",
                "Content-Type: text/plain",
                "",
                BODY);
        SipResponse response = alice.response(status);
        assertThat(body(response)).isEqualTo(content == null ? "" : content);
        assertThat(response.header(HeaderName.CONTENT_TYPE))
                .isEqualTo(content == null ? null : "text/html");
        server.assertClean();
    }

    @Test
    void inADialogToo() {
        Server server = Server.fresh(1).deploy(new Writing("other"), ExecutionMode.NON_BLOCKING);
        RawPeer bob = server.peer("10.0.0.3");
        RawPeer alice = alice(server);
        SipRequest invite = bob.request("INVITE");
        bob.respond(invite, 200, "b", "Contact: <sip:10.0.0.3:5060>");
        SipResponse ok = alice.response(200);
        String route = "Route: " + ok.recordRoutes().getFirst();
        String to = "<sip:b@y>;tag=b";
        alice.request("ACK sip:10.0.0.3:5060", FROM, to, "c1", 1, route);
        bob.request("ACK");
        alice.request("INFO sip:10.0.0.3:5060", FROM, to, "c1", 2, route);
        bob.respond(bob.request("INFO"), 200, "", "Content-Type: text/plain", "", BODY);
        assertThat(body(alice.response(200))).isEqualTo("other");
    }

    /** What nobody forwards cannot be written to: an application would wait for it in vain. */
    @Test
    void aBranchResponseCannotBeWrittenTo() {
        List<String> thrown = new ArrayList<>();
        SipServlet servlet =
                new Writing("other") {
                    @Override
                    protected void doBranchResponse(SipServletResponse response) {
                        try {
                            write(response);
                            thrown.add("nothing");
                        } catch (IllegalStateException e) {
                            thrown.add(String.valueOf(e.getMessage()));
                        }
                    }
                };
        Server server = Server.fresh(1).deploy(servlet, ExecutionMode.NON_BLOCKING);
        RawPeer bob = server.peer("10.0.0.3");
        RawPeer alice = alice(server);
        bob.respond(bob.request("INVITE"), 486, "b", "Content-Type: text/plain", "", BODY);
        assertThat(body(alice.response(486))).isEqualTo("other");
        assertThat(thrown).containsExactly("the message is committed");
    }
}
