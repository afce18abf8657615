package io.carillon.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.feature.store.SessionStores;
import io.carillon.servlet.harness.RawPeer;
import io.carillon.servlet.harness.Server;
import io.carillon.servlet.port.SessionShares;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import io.carillon.testkit.SimulatedNetwork;
import io.carillon.testkit.VirtualTime;
import java.io.IOException;
import java.time.Duration;
import javax.servlet.ServletException;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipServletResponse;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A dialog keeps what its peer chose the length of. */
class KeptAddressesTest {
    private static final String CONTACT = "Contact: <sip:a@10.0.0.2>";
    private static final String LONG = "x".repeat(15_000);
    private static final String ROUTE = "Record-Route: <sip:10.0.0.2;lr;x=" + LONG + ">";
    private static final int ONE_CALL = 50_000;

    private final Server server =
            new Server(
                    new SimulatedNetwork(new VirtualTime(), 7),
                    "10.0.0.1",
                    1,
                    7,
                    SessionStores.inMemory());
    private final RawPeer alice = server.peer("10.0.0.2");

    private static final class Phone extends SipServlet {
        private static final long serialVersionUID = 1L;
        int answered;

        @Override
        protected void doInvite(SipServletRequest invite) throws IOException {
            invite.createResponse(200).send();
        }

        @Override
        protected void doBye(SipServletRequest bye) throws IOException {
            bye.createResponse(200).send();
        }

        @Override
        protected void doMessage(SipServletRequest message) throws IOException, ServletException {
            message.createResponse(200).send();
            SipFactory factory = (SipFactory) getServletContext().getAttribute(SIP_FACTORY);
            factory.createRequest(
                            factory.createApplicationSession(),
                            "INVITE",
                            "sip:us@10.0.0.1",
                            "sip:them@10.0.0.3")
                    .send();
        }

        @Override
        protected void doSuccessResponse(SipServletResponse response) throws IOException {
            if (response.getMethod().equals("INVITE")) {
                answered++;
                response.createAck().send();
            }
        }
    }

    private SipResponse ask(
            String method, int call, String toTag, int cseq, int status, String... headers) {
        alice.request(
                method + " sip:room@10.0.0.1",
                "<sip:a@10.0.0.2>;tag=t" + call,
                "<sip:room@10.0.0.1>" + (toTag.isEmpty() ? "" : ";tag=" + toTag),
                "c" + call,
                cseq,
                headers);
        return alice.response(status);
    }

    private String call(int number, String... headers) {
        String tag = ask("INVITE", number, "", 1, 200, headers).toTag();
        alice.request(
                "ACK sip:10.0.0.1",
                "<sip:a@10.0.0.2>;tag=t" + number,
                "<sip:room@10.0.0.1>;tag=" + tag,
                "c" + number,
                1);
        return tag;
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void callsWithLongAddressesAreRefusedWhereTheirMemoryIsFullAndUsualOnesAreNot(boolean routes)
            throws Exception {
        server.deploy(new Phone(), ExecutionMode.NON_BLOCKING);
        server.container.keptAddresses().most(ONE_CALL, SessionShares.none(1));
        String longContact = "Contact: <sip:a@10.0.0.2;x=" + LONG + ">";
        String[] fat = {routes ? CONTACT : longContact, ROUTE, ROUTE};
        String first = call(0, fat);
        assertThat(server.container.keptAddresses().bytes()).isGreaterThan(ONE_CALL);
        assertThat(ask("INVITE", 1, "", 1, 503, fat).header(HeaderName.RETRY_AFTER)).isNotNull();
        String usual = call(2, CONTACT);
        ask("INVITE", 2, usual, 2, 503, longContact);
        assertThat(server.container.counters().refusedAddresses.sum()).isEqualTo(2);

        // What ends a call gets in, however long it is.
        ask("BYE", 0, first, 2, 200, ROUTE);
        ask("BYE", 2, usual, 3, 200);
        server.run(Duration.ofMinutes(5));
        assertThat(server.container.keptAddresses().bytes()).isZero();
        server.assertEmpty();
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void answersWithLongRoutesAreDroppedWhereTheirMemoryIsFull(ExecutionMode mode)
            throws Exception {
        Phone phone = new Phone();
        server.deploy(phone, mode);
        server.container.keptAddresses().most(ONE_CALL, SessionShares.none(1));
        RawPeer them = server.peer("10.0.0.3");
        String theirs = ROUTE.replace("10.0.0.2", "10.0.0.3");
        for (int i = 0; i < 3; i++) {
            ask("MESSAGE", i, "", 1, 200);
            SipRequest invite = them.request("INVITE");
            String[] headers =
                    i == 2
                            ? new String[] {"Contact: <sip:10.0.0.3>"}
                            : new String[] {"Contact: <sip:10.0.0.3>", theirs, theirs};
            them.respond(invite, 200, "them" + i, headers);
            server.run(Duration.ofSeconds(1));
            them.forget();
        }
        assertThat(phone.answered).isEqualTo(2);
        assertThat(server.container.counters().refusedAddresses.sum()).isEqualTo(1);
    }
}
