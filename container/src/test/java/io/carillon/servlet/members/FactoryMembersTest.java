package io.carillon.servlet.members;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.harness.Manual;
import io.carillon.servlet.harness.RawPeer;
import io.carillon.servlet.harness.Server;
import java.util.ListIterator;
import java.util.Objects;
import javax.servlet.sip.Address;
import javax.servlet.sip.Parameterable;
import javax.servlet.sip.SipApplicationSession;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipServletResponse;
import javax.servlet.sip.SipURI;
import javax.servlet.sip.URI;
import org.junit.jupiter.api.Test;

/** What the factory makes, and requests and responses that were not sent yet. */
class FactoryMembersTest {
    private final Manual phone = new Manual();
    private final Server server = Server.fresh(13).deploy(phone, ExecutionMode.NON_BLOCKING);
    private final RawPeer alice = server.peer("10.0.0.2");
    private final SipFactory factory =
            (SipFactory) phone.getServletContext().getAttribute(SipServlet.SIP_FACTORY);

    private SipServletRequest ringing() {
        alice.request(
                "INVITE sip:uas@10.0.0.1",
                "<sip:a@x>;tag=a",
                "<sip:uas@y>",
                "c1",
                1,
                "Contact: <sip:10.0.0.2:5060>");
        alice.response(180);
        return Objects.requireNonNull(phone.invite);
    }

    @Test
    @Proves({
        "SipFactory#createAddress(URI)",
        "SipFactory#createAddress(URI,String)",
        "SipFactory#createSipURI(String,String)",
        "SipFactory#createParameterable(String)",
        "SipFactory#createRequest(SipApplicationSession,String,URI,URI)",
    })
    void the_factory_makes_uris_addresses_parameterables_and_requests_of_them() throws Exception {
        SipURI uri = factory.createSipURI("bob", "biloxi.example");
        assertThat(uri).hasToString("sip:bob@biloxi.example");
        assertThat(factory.createAddress(uri).getURI()).isEqualTo(uri);
        Address named = factory.createAddress(uri, "Bob");
        assertThat(named.getDisplayName()).isEqualTo("Bob");
        assertThat(named.getURI()).isEqualTo(uri);
        Parameterable event = factory.createParameterable("presence;id=7");
        assertThat(event.getValue()).isEqualTo("presence");
        assertThat(event.getParameter("id")).isEqualTo("7");
        URI from = factory.createURI("sip:alice@atlanta.example");
        SipServletRequest request =
                factory.createRequest(factory.createApplicationSession(), "MESSAGE", from, uri);
        assertThat(request.getMethod()).isEqualTo("MESSAGE");
        assertThat(request.getFrom().getURI()).isEqualTo(from);
        assertThat(request.getTo().getURI()).isEqualTo(uri);
    }

    @Test
    @Proves("SipFactory#createRequest(SipServletRequest,boolean)")
    @SuppressWarnings("deprecation")
    void a_copy_of_a_request_has_a_session_of_its_own_and_the_call_id_that_was_asked_for() {
        SipServletRequest original = ringing();
        SipServletRequest same = factory.createRequest(original, true);
        SipServletRequest other = factory.createRequest(original, false);
        assertThat(same.getCallId()).isEqualTo("c1");
        assertThat(other.getCallId()).isNotEqualTo("c1");
        for (SipServletRequest copy : new SipServletRequest[] {same, other}) {
            assertThat(copy.getMethod()).isEqualTo("INVITE");
            assertThat(copy.getRequestURI()).isEqualTo(original.getRequestURI());
            assertThat(copy.getSession()).isNotSameAs(original.getSession());
            assertThat(copy.getApplicationSession()).isSameAs(original.getApplicationSession());
            assertThat(copy.getFrom().getParameter("tag")).isNotNull().isNotEqualTo("a");
            assertThat(copy.getTo().getParameter("tag")).isNull();
            assertThat(copy.getHeader("Via")).isNull();
        }
    }

    @Test
    @Proves({"SipServletRequest#pushRoute(SipURI)", "SipServletRequest#pushRoute(Address)"})
    void a_pushed_route_is_the_first_one() throws Exception {
        SipServletRequest request =
                factory.createRequest(
                        factory.createApplicationSession(),
                        "MESSAGE",
                        "sip:a@atlanta.example",
                        "sip:b@biloxi.example");
        SipURI far = factory.createSipURI(null, "far.example");
        SipURI near = factory.createSipURI(null, "near.example");
        far.setLrParam(true);
        near.setLrParam(true);
        request.pushRoute(far);
        request.pushRoute(factory.createAddress(near));
        ListIterator<String> routes = request.getHeaders("Route");
        assertThat(routes.next()).contains("near.example");
        assertThat(routes.next()).contains("far.example");
        assertThat(request.getAddressHeader("Route").getURI()).isEqualTo(near);
    }

    @Test
    @Proves("SipServletRequest#pushPath(Address)")
    void a_path_is_pushed_on_a_register_only() throws Exception {
        SipServletRequest register =
                factory.createRequest(
                        factory.createApplicationSession(),
                        "REGISTER",
                        "sip:a@atlanta.example",
                        "sip:a@atlanta.example");
        SipURI edge = factory.createSipURI(null, "edge.example");
        edge.setLrParam(true);
        register.pushPath(factory.createAddress(edge));
        assertThat(register.getHeader("Path")).contains("edge.example");
        assertThatThrownBy(() -> ringing().pushPath(factory.createAddress(edge)))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    @Proves({
        "SipServletResponse#setStatus(int)",
        "SipServletResponse#setStatus(int,String)",
        "SipServletResponse#getStatus()",
        "SipServletResponse#getReasonPhrase()",
    })
    void status_and_reason_of_a_response_can_be_changed_until_it_is_sent() throws Exception {
        SipServletResponse response = ringing().createResponse(200);
        assertThat(response.getReasonPhrase()).isEqualTo("OK");
        response.setStatus(480, "Not now");
        assertThat(response.getStatus()).isEqualTo(480);
        assertThat(response.getReasonPhrase()).isEqualTo("Not now");
        response.setStatus(486);
        response.send();
        assertThat(alice.response(486).status()).isEqualTo(486);
        assertThatThrownBy(() -> response.setStatus(500)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    @Proves("SipServletResponse#getChallengeRealms()")
    void the_realms_of_the_challenges_in_a_response_are_told() {
        SipServletResponse response = ringing().createResponse(401);
        response.addHeader("WWW-Authenticate", "Digest realm=\"home\", nonce=\"1\"");
        response.addHeader("Proxy-Authenticate", "Digest realm=\"away\", nonce=\"2\"");
        assertThat(response.getChallengeRealms())
                .toIterable()
                .containsExactlyInAnyOrder("home", "away");
    }

    @Test
    @Proves(
            value = {
                "SipFactory#createAddress(String)",
                "SipFactory#createApplicationSession()",
                "SipFactory#createRequest(SipApplicationSession,String,Address,Address)",
                "SipFactory#createRequest(SipApplicationSession,String,String,String)",
                "SipFactory#createURI(String)",
            },
            also = "SipApplicationSession#getId()")
    void the_factory_makes_requests_of_texts_and_of_addresses() throws Exception {
        assertThat(factory.createURI("tel:+1201").getScheme()).isEqualTo("tel");
        Address from = factory.createAddress("\"Alice\" <sip:alice@atlanta.example>;own=1");
        assertThat(from.getDisplayName()).isEqualTo("Alice");
        assertThat(from.getParameter("own")).isEqualTo("1");
        Address to = factory.createAddress("<sip:bob@biloxi.example>");
        SipApplicationSession session = factory.createApplicationSession();
        assertThat(session.isValid()).isTrue();
        assertThat(session.getApplicationName()).isEqualTo("test");
        assertThat(factory.createApplicationSession().getId()).isNotEqualTo(session.getId());
        SipServletRequest one = factory.createRequest(session, "MESSAGE", from, to);
        SipServletRequest other =
                factory.createRequest(
                        session,
                        "OPTIONS",
                        "\"Alice\" <sip:alice@atlanta.example>",
                        "sip:bob@biloxi.example");
        assertThat(one.getMethod()).isEqualTo("MESSAGE");
        assertThat(other.getMethod()).isEqualTo("OPTIONS");
        for (SipServletRequest request : new SipServletRequest[] {one, other}) {
            assertThat(request.getApplicationSession()).isSameAs(session);
            assertThat(request.getFrom().getDisplayName()).isEqualTo("Alice");
            assertThat(request.getFrom().getURI()).hasToString("sip:alice@atlanta.example");
            assertThat(request.getFrom().getParameter("tag")).isNotNull();
            assertThat(request.getTo().getURI()).hasToString("sip:bob@biloxi.example");
            assertThat(request.getTo().getParameter("tag")).isNull();
            assertThat(request.getRequestURI()).hasToString("sip:bob@biloxi.example");
        }
    }
}
