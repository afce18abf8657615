package io.carillon.servlet;

import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.harness.RawPeer;
import io.carillon.servlet.harness.Server;
import java.io.IOException;
import java.util.Arrays;
import java.util.Collections;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;
import org.junit.jupiter.api.Test;

/** Initial requests that no application is asked about, and their harmless neighbours. */
class ScreeningTest {
    static final class Agreeable extends SipServlet {
        @Override
        protected void doRequest(SipServletRequest request) throws IOException {
            request.createResponse(200).send();
        }
    }

    private final Server server = Server.fresh(1).deploy(new Agreeable(), ExecutionMode.BLOCKING);
    private final RawPeer alice = server.peer("10.0.0.2");
    private int calls;

    private void expect(int status, String line, String... headers) {
        alice.request(line, "<sip:a@x>;tag=a", "<sip:b@y>", "c" + calls++, 1, headers);
        alice.response(status);
        server.assertClean();
    }

    @Test
    void s8_2_2_1_schemes_that_nobody_can_route() {
        expect(416, "OPTIONS nobodyKnowsThisScheme:totallyopaquecontent");
        expect(416, "OPTIONS http://10.0.0.1/");
        for (String uri : new String[] {"sip:x", "tel:+4930123", "urn:service:sos", "im:a@b"}) {
            expect(200, "OPTIONS " + uri);
        }
    }

    @Test
    void rfc3261_15_1_2_whatIsKnownInADialogOnlyBeginsNone() {
        expect(481, "BYE sip:x@10.0.0.1");
        expect(481, "UPDATE sip:x@10.0.0.1", "Contact: <sip:a@10.0.0.2>");
        expect(481, "PRACK sip:x@10.0.0.1", "RAck: 1 1 INVITE");
        expect(200, "INFO sip:x@10.0.0.1");
        expect(200, "MESSAGE sip:x@10.0.0.1");
    }

    @Test
    void s3_3_10_of_rfc_4475_routes_to_whole_networks() {
        expect(403, "OPTIONS sip:x@10.0.0.1", "Route: <sip:255.255.255.255;lr>");
        expect(403, "OPTIONS sip:x@10.0.0.1", "Route: <sip:224.0.1.75;lr>");
        expect(403, "OPTIONS sip:x@10.0.0.1", "Route: <sip:10.0.0.1;lr>, <sip:[ff02::1];lr>");
        expect(200, "OPTIONS sip:x@10.0.0.1", "Route: <sip:10.0.0.1;lr>, <sip:10.0.0.9;lr>");
    }

    @Test
    void rfc_5393_routes_that_lead_through_us_for_ever() {
        String own = "Route: <sip:10.0.0.1;lr>";
        expect(482, "OPTIONS sip:x@10.0.0.1", routes(own, 9));
        expect(200, "OPTIONS sip:x@10.0.0.1", routes(own, 2));
    }

    private static String[] routes(String route, int count) {
        return Collections.nCopies(count, route).toArray(String[]::new);
    }

    @Test
    void credentials_that_cannot_be_read() {
        expect(
                400,
                "REGISTER sip:10.0.0.1",
                "Authorization: Digest username=\"a\",response=\"z\",=\"\" , ,,qop");
        expect(400, "INVITE sip:10.0.0.1", "Contact: <sip:a@x>", "Proxy-Authorization: Digest =");
        expect(200, "REGISTER sip:10.0.0.1", "Authorization: Digest username=\"a\", nc=00000001");
        expect(200, "REGISTER sip:10.0.0.1", "Authorization: NoOneKnowsThisScheme opaque=");
    }

    @Test
    void s25_1_preferences_above_one() {
        for (String q : Arrays.asList("9.9", "1.001", "a", "", ".", "1e0")) {
            expect(400, "REGISTER sip:10.0.0.1", "Contact: <sip:a@x>;q=" + q);
        }
        for (String q : Arrays.asList("0", "1", "1.000", "0.5", ".5", "0.1234")) {
            expect(200, "REGISTER sip:10.0.0.1", "Contact: <sip:a@x>;q=" + q);
        }
    }
}
