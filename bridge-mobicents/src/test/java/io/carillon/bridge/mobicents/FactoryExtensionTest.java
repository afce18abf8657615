package io.carillon.bridge.mobicents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carillon.servlettest.SipTest;
import io.carillon.servlettest.SipTestServer;
import io.carillon.testkit.ScriptedPeer;
import java.lang.reflect.InvocationTargetException;
import java.util.List;
import javax.servlet.sip.Address;
import javax.servlet.sip.ServletParseException;
import javax.servlet.sip.SipApplicationSession;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.URI;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.mobicents.javax.servlet.sip.dns.DNSResolver;

/** What Mobicents adds to the factory, and its look-ups of names. */
@SipTest
class FactoryExtensionTest {
    private static final String TYPE = "SipFactoryExt";
    private static final String MEMBER = "createRequestWithCallID";

    private final Scripted phone = new Scripted();
    private SipTestServer server;
    private SipFactory factory;

    @BeforeEach
    void deploy(SipTestServer made) throws Exception {
        server = made;
        server.deploy("phone", phone);
        factory = phone.factory();
    }

    private SipServletRequest request(Class<?> kind, Object from, Object to, String callId)
            throws ReflectiveOperationException {
        Class<?>[] types = {SipApplicationSession.class, String.class, kind, kind, String.class};
        SipApplicationSession session = factory.createApplicationSession();
        return (SipServletRequest)
                Scripted.call(factory, TYPE, MEMBER, types, session, "MESSAGE", from, to, callId);
    }

    @Test
    void aRequestMayHaveACallIdOfTheApplicationsChoice() throws Exception {
        ScriptedPeer bob = server.peer("bob");
        String from = "sip:phone@10.0.0.1";
        String to = "sip:bob@10.0.1.1";
        request(String.class, from, to, "one@here").send();
        assertThat(bob.expect("MESSAGE").request().callId()).isEqualTo("one@here");
        request(URI.class, factory.createURI(from), factory.createURI(to), "two").send();
        assertThat(bob.expect("MESSAGE").request().callId()).isEqualTo("two");
        Address a = factory.createAddress(from);
        request(Address.class, a, factory.createAddress(to), null).send();
        assertThat(bob.expect("MESSAGE").request().callId()).isNotBlank();
        for (String wrong : List.of("", "a b", "a@b@c", "a\r\nX: y", "é")) {
            assertThatThrownBy(() -> request(String.class, from, to, wrong))
                    .isInstanceOf(InvocationTargetException.class)
                    .hasCauseInstanceOf(IllegalArgumentException.class);
        }
        assertThatThrownBy(() -> request(String.class, "no address <", to, "x"))
                .hasCauseInstanceOf(ServletParseException.class);
    }

    @Test
    void applicationSessionsAreMadeAsByTheApi() throws Exception {
        Class<?>[] flag = {boolean.class};
        Class<?>[] keyAndFlag = {String.class, boolean.class};
        Object made = Scripted.call(factory, TYPE, "createApplicationSession", flag, true);
        assertThat(((SipApplicationSession) made).isValid()).isTrue();
        Object keyed =
                Scripted.call(
                        factory, TYPE, "createApplicationSessionByKey", keyAndFlag, "key", false);
        assertThat(keyed).isSameAs(factory.createApplicationSessionByKey("key"));
    }

    @Test
    void routingOfOrphansIsRememberedOnly() throws Exception {
        Class<?>[] none = {};
        assertThat(Scripted.call(factory, TYPE, "isRouteOrphanRequests", none)).isEqualTo(false);
        Scripted.call(
                factory, TYPE, "setRouteOrphanRequests", new Class<?>[] {boolean.class}, true);
        assertThat(Scripted.call(factory, TYPE, "isRouteOrphanRequests", none)).isEqualTo(true);
    }

    @Test
    void theFactoryIsAnOrdinaryObject() {
        Object same = List.of(factory).getFirst();
        assertThat(factory.equals(same)).isTrue();
        assertThat(factory).isNotEqualTo("x");
        assertThat(same.hashCode()).isEqualTo(factory.hashCode());
        assertThat(factory.toString()).isNotBlank();
        assertThatThrownBy(() -> factory.createURI("no uri"))
                .isInstanceOf(ServletParseException.class);
    }

    @Test
    void namesAreLookedUpAndTelephoneNumbersAreNot() throws Exception {
        DNSResolver resolver =
                (DNSResolver)
                        phone.getServletContext()
                                .getAttribute("org.mobicents.servlet.sip.DNS_RESOLVER");
        URI sip = factory.createURI("sip:bob@example.org");
        assertThat(resolver.getSipURI(sip)).isSameAs(sip);
        assertThatThrownBy(() -> resolver.getSipURI(factory.createURI("tel:+4930123")))
                .isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> resolver.locateURIs(factory.createSipURI(null, "example.org")))
                .isInstanceOf(UnsupportedOperationException.class);
        assertThat(resolver.resolveHost("127.0.0.1")).containsExactly("127.0.0.1");
        resolver.setDnsTimeout(3);
        assertThat(resolver.getDnsTimeout()).isEqualTo(3);
    }
}
