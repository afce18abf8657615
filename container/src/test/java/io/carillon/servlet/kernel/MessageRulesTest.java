package io.carillon.servlet.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carillon.servlet.header.AddressFactory;
import io.carillon.servlet.members.Proves;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.Transport;
import io.carillon.sip.message.SipMessage;
import java.net.InetSocketAddress;
import java.util.ListIterator;
import javax.servlet.sip.Address;
import javax.servlet.sip.Parameterable;
import javax.servlet.sip.SipServletMessage.HeaderForm;
import javax.servlet.sip.SipURI;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** System headers, committed messages, and what a message costs that nobody touches. */
class MessageRulesTest {
    private static final String ROUTE = "<sip:192.0.2.9;lr>";

    private static TestMessage full() {
        return TestMessage.request(
                "INVITE",
                "Route: " + ROUTE,
                "Record-Route: " + ROUTE,
                "Path: " + ROUTE,
                "RAck: 1 1 INVITE",
                "RSeq: 1",
                "Contact: <sip:alice@192.0.2.1:5062>;x=1");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "From",
                "f",
                "To",
                "t",
                "Call-ID",
                "i",
                "CSeq",
                "Via",
                "v",
                "Record-Route",
                "Route",
                "Path",
                "RAck",
                "RSeq",
                "Contact",
                "m"
            })
    @Proves(
            also = {
                "SipServletMessage#addParameterableHeader(String,Parameterable,boolean)",
                "SipServletMessage#setParameterableHeader(String,Parameterable)",
            })
    void systemHeadersAreNotForApplications(String name) throws Exception {
        TestMessage message = full();
        Address address = AddressFactory.createAddress(ROUTE);
        Parameterable value = AddressFactory.createParameterable("x;y=z");
        illegalArgument(() -> message.setHeader(name, ROUTE));
        illegalArgument(() -> message.addHeader(name, ROUTE));
        illegalArgument(() -> message.removeHeader(name));
        illegalArgument(() -> message.setAddressHeader(name, address));
        illegalArgument(() -> message.addAddressHeader(name, address, true));
        illegalArgument(() -> message.setParameterableHeader(name, value));
        illegalArgument(() -> message.addParameterableHeader(name, value, false));
        ListIterator<String> values = message.getHeaders(name);
        String text = values.next();
        illegalState(values::remove);
        illegalState(() -> values.set(ROUTE));
        illegalState(() -> values.add(ROUTE));
        assertThat(message.getHeader(name)).isEqualTo(text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"From", "To", "Record-Route", "Route", "Path", "Contact"})
    @Proves(
            also = {
                "Address#getURI()",
                "SipServletMessage#getAddressHeaders(String)",
            })
    void iteratorsOverSystemAddressesOnlyRead(String name) throws Exception {
        TestMessage message = full();
        ListIterator<Address> addresses = message.getAddressHeaders(name);
        Address address = addresses.next();
        assertThat(address.getURI()).isNotNull();
        illegalState(addresses::remove);
        illegalState(() -> addresses.set(address));
        illegalState(() -> addresses.add(address));
        assertThat(addresses.hasNext()).isFalse();
        assertThat(addresses.previous()).isSameAs(address);
    }

    @ParameterizedTest
    @CsvSource({
        "request, Record-Route",
        "request, Route",
        "request, Path",
        "response, From",
        "response, To",
        "ACK, From",
        "CANCEL, To",
    })
    @Proves(also = "SipURI#setHeader(String,String)")
    void systemAddressesAreImmutable(String kind, String name) throws Exception {
        TestMessage message =
                switch (kind) {
                    case "request" -> full();
                    case "response" -> TestMessage.response(200, "INVITE");
                    default -> TestMessage.request(kind);
                };
        Address address = message.getAddressHeader(name);
        SipURI uri = (SipURI) address.getURI();
        illegalState(() -> address.setDisplayName("x"));
        illegalState(() -> address.setParameter("tag", "x"));
        illegalState(() -> address.setURI(AddressFactory.createURI("sip:x.example")));
        illegalState(() -> address.setValue("<sip:x.example>"));
        illegalState(() -> address.setQ(0.5f));
        illegalState(() -> uri.setUser("x"));
        illegalState(() -> uri.setHost("x.example"));
        illegalState(() -> uri.setParameter("x", "1"));
        illegalState(() -> uri.setHeader("x", "1"));
        Address copy = (Address) address.clone();
        copy.setDisplayName("free");
        assertThat(message.draftOrNull()).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"From", "To"})
    @Proves(
            also = {
                "Address#setDisplayName(String)",
                "Address#setURI(URI)",
            })
    void fromAndToAreSystemHeadersInTheirTagAlone(String name) throws Exception {
        TestMessage message = TestMessage.request("INVITE");
        Address party = message.getAddressHeader(name);
        String tag = party.getParameter("tag");
        party.setDisplayName("Other");
        party.setURI(
                AddressFactory.createURI("sip:other@far.example;transport=tcp;lr;own=1?Subject=x"));
        party.setParameter("mine", "1");
        String tagged = tag == null ? "" : ";tag=" + tag;
        String written = "\"Other\" <sip:other@far.example;own=1>" + tagged + ";mine=1";
        assertThat(message.getHeader(name)).isEqualTo(written);
        assertThat(message.getAddressHeader(name)).isSameAs(party);
        SipURI uri = (SipURI) party.getURI();
        uri.setUser("third");
        assertThat(message.getHeader(name)).contains("<sip:third@far.example;own=1>");
        uri.setHost("further.example");
        assertThat(message.getHeader(name)).contains("<sip:third@further.example;own=1>");
        message.setHeader("X-Own", "1");
        party.setDisplayName(null);
        assertThat(message.getHeader(name)).startsWith("<sip:third@further.example;own=1>");
        illegalState(() -> party.setParameter("tag", "x"));
        illegalState(() -> party.setParameter("TAG", "x"));
        illegalArgument(() -> uri.setParameter("maddr", "192.0.2.1"));
        if (tag != null) {
            illegalState(() -> party.removeParameter("tag"));
            assertThat(party.getParameter("tag")).isEqualTo(tag);
        }
        message.committed = true;
        illegalState(() -> party.setDisplayName("late"));
        illegalState(() -> uri.setUser("late"));
    }

    @Test
    void aTagThatTheContainerGivesMeanwhileStays() throws Exception {
        TestMessage message = TestMessage.request("INVITE");
        Address to = message.getTo();
        message.edit().setTo(message.toValue().withTag("b1"));
        to.setDisplayName("Bob");
        assertThat(message.getHeader("To")).isEqualTo("\"Bob\" <sip:bob@example.com>;tag=b1");
    }

    @Test
    @Proves(
            also = {
                "Parameterable#setValue(String)",
                "SipServletMessage#getParameterableHeader(String)",
            })
    void viaIsReadOnly() throws Exception {
        Parameterable via = full().getParameterableHeader("Via");
        illegalState(() -> via.setParameter("branch", "x"));
        illegalState(() -> via.setValue("SIP/2.0/UDP x.example"));
    }

    @Test
    @Proves(also = "SipURI#setSecure(boolean)")
    void contactsUserPartAndParametersAreSettableWhereItIsASystemHeader() throws Exception {
        TestMessage message = full();
        Address contact = message.getAddressHeader("Contact");
        SipURI uri = (SipURI) contact.getURI();
        uri.setUser("bob");
        uri.setParameter("own", "1");
        contact.setParameter("isfocus", "");
        contact.setDisplayName("Bob");
        assertThat(message.getHeader("Contact"))
                .isEqualTo("\"Bob\" <sip:bob@192.0.2.1:5062;own=1>;x=1;isfocus");
        illegalState(() -> uri.setHost("x.example"));
        illegalState(() -> uri.setPort(1));
        illegalState(() -> uri.setSecure(true));
        illegalState(() -> contact.setURI(uri));
        for (String taken : new String[] {"method", "ttl", "maddr", "lr"}) {
            illegalArgument(() -> uri.setParameter(taken, "1"));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "0, REGISTER, false",
        "200, REGISTER, false",
        "0, INVITE, true",
        "200, INVITE, true",
        "180, INVITE, true",
        "302, INVITE, false",
        "485, INVITE, false",
        "486, INVITE, true",
        "200, OPTIONS, false",
        "0, OPTIONS, true"
    })
    void contactIsASystemHeaderExceptInRegister3xxAnd485(
            int status, String method, boolean system) {
        TestMessage message =
                status == 0 ? TestMessage.request(method) : TestMessage.response(status, method);
        if (system) {
            illegalArgument(() -> message.setHeader("Contact", ROUTE));
        } else {
            message.setHeader("Contact", ROUTE);
            assertThat(message.getHeader("m")).isEqualTo(ROUTE);
        }
    }

    @Test
    @Proves(
            also = {
                "Address#isWildcard()",
                "SipServletMessage#getAddressHeader(String)",
            })
    void theStarContactOfRegisterIsTheWildcard() throws Exception {
        TestMessage message = TestMessage.request("REGISTER", "Contact: *", "Expires: 0");
        assertThat(message.getAddressHeader("Contact").isWildcard()).isTrue();
        message.setAddressHeader("Contact", AddressFactory.createAddress("*"));
        assertThat(message.freeze().toString()).contains("Contact: *\r\n");
    }

    @Test
    @Proves(also = "SipServletMessage#setContentType(String)")
    void aCommittedMessageCannotBeChanged() throws Exception {
        TestMessage message =
                TestMessage.request(
                        "REGISTER", "Contact: <sip:a@192.0.2.1>", "Event: x", "X-Own: 1");
        Address contact = message.getAddressHeader("Contact");
        Parameterable event = message.getParameterableHeader("Event");
        SipURI target = (SipURI) message.requestUriView();
        ListIterator<String> values = message.getHeaders("X-Own");
        values.next();
        Address other = AddressFactory.createAddress(ROUTE);
        message.send();
        illegalState(() -> message.setHeader("X-Own", "2"));
        illegalState(() -> message.addHeader("X-Own", "2"));
        illegalState(() -> message.removeHeader("X-Own"));
        illegalState(() -> message.setAddressHeader("Contact", other));
        illegalState(() -> message.addAddressHeader("Contact", other, false));
        illegalState(() -> message.setParameterableHeader("Event", event));
        illegalState(() -> message.addParameterableHeader("Accept", event, false));
        illegalState(() -> message.setContent("x", "text/plain"));
        illegalState(() -> message.setContent(null, null));
        illegalState(() -> message.setContentType("text/plain"));
        illegalState(() -> message.setContentLength(0));
        illegalState(() -> message.setContentLanguage(null));
        illegalState(() -> message.setAcceptLanguage(null));
        illegalState(() -> message.addAcceptLanguage(java.util.Locale.ENGLISH));
        illegalState(() -> message.setExpires(1));
        illegalState(() -> message.setHeaderForm(HeaderForm.LONG));
        illegalState(() -> contact.setParameter("x", "1"));
        illegalState(() -> ((SipURI) contact.getURI()).setUser("x"));
        illegalState(() -> event.setValue("y"));
        illegalState(() -> target.setUser("x"));
        illegalState(values::remove);
        assertThat(contact).hasToString("<sip:a@192.0.2.1>");
        assertThat(message.draftOrNull()).isNull();
    }

    @Test
    @Proves(
            also = {
                "Address#getDisplayName()",
                "SipServletMessage#getFrom()",
            })
    void aCommittedMessageCanStillBeRead() throws Exception {
        TestMessage message = TestMessage.request("INVITE", "X-Own: 1");
        message.send();
        assertThat(message.getHeader("X-Own")).isEqualTo("1");
        assertThat(message.getFrom().getDisplayName()).isEqualTo("Alice");
        message.setAttribute("still", "possible");
        assertThat(message.getAttribute("still")).isEqualTo("possible");
    }

    @Test
    void aMessageThatNobodyWritesToKeepsItsBytes() throws Exception {
        TestMessage made = full();
        SipMessage received = made.freeze();
        TestMessage message = new TestMessage(received);
        message.getHeaderNames();
        message.getHeaders("Contact").next();
        message.getAddressHeader("Contact").getURI();
        message.getParameterableHeader("Via");
        message.getFrom().getURI();
        message.getTo();
        message.requestUriView();
        message.getContent();
        message.getAcceptLanguage();
        assertThat(message.draftOrNull()).isNull();
        assertThat(message.freeze()).isSameAs(received);
    }

    @Test
    @Proves("SipServletMessage#setContentLength(int)")
    void contentLengthIsAlwaysRight() throws Exception {
        TestMessage message = TestMessage.request("INVITE");
        message.setContent("hello", "text/plain");
        message.setContentLength(2);
        message.setHeader("Content-Length", "3");
        message.addHeader("l", "4");
        message.removeHeader("Content-Length");
        assertThat(message.freeze().toString())
                .contains("Content-Length: 5\r\n")
                .endsWith("\r\n\r\nhello");
        illegalArgument(() -> message.setContentLength(-1));
    }

    @Test
    @Proves(also = "SipServletMessage#getTo()")
    void theContainerWritesWhatApplicationsMayNot() {
        TestMessage message = full();
        Address to = message.getTo();
        message.put(HeaderName.TO, "<sip:bob@example.com>;tag=b2");
        message.putFirst(HeaderName.VIA, "SIP/2.0/UDP 192.0.2.7;branch=z9hG4bK2");
        message.edit().setCSeq(2, "INVITE");
        assertThat(message.getTo().getParameter("tag")).isEqualTo("b2");
        assertThat(to.getParameter("tag"))
                .as("the object handed out before is live")
                .isEqualTo("b2");
        assertThat(message.getHeader("Via")).startsWith("SIP/2.0/UDP 192.0.2.7");
        assertThat(message.freeze().cseq().number()).isEqualTo(2);
    }

    @Test
    void copiesForBranchesHoldTheChangesAndLeaveTheMessage() throws Exception {
        TestMessage message = full();
        ((SipURI) message.getAddressHeader("Contact").getURI()).setUser("c");
        SipMessage branch = message.copyDraft().set(HeaderName.of("X-Branch"), "1").freeze();
        assertThat(branch.toString()).contains("sip:c@192.0.2.1").contains("X-Branch: 1");
        assertThat(message.freeze().toString())
                .contains("sip:c@192.0.2.1")
                .doesNotContain("X-Branch");
        message.replace(branch);
        assertThat(message.getHeader("X-Branch")).isEqualTo("1");
    }

    @Test
    @Proves(
            value = {
                "SipServletMessage#getCallId()",
                "SipServletMessage#getInitialRemoteAddr()",
                "SipServletMessage#getInitialRemotePort()",
                "SipServletMessage#getLocalAddr()",
                "SipServletMessage#getLocalPort()",
                "SipServletMessage#getProtocol()",
                "SipServletMessage#getRemoteAddr()",
                "SipServletMessage#getRemotePort()",
                "SipServletMessage#getTransport()",
                "SipServletMessage#isSecure()",
            },
            also = {
                "SipServletMessage#getRemoteUser()",
                "SipServletMessage#getUserPrincipal()",
                "SipServletMessage#isUserInRole(String)",
            })
    void theWayItCameIsTold() {
        TestMessage message = TestMessage.request("INVITE");
        assertThat(message.getRemoteAddr()).isNull();
        assertThat(message.getRemotePort()).isEqualTo(-1);
        assertThat(message.getTransport()).isNull();
        assertThat(message.getInitialRemoteAddr()).isNull();
        assertThat(message.getInitialRemotePort()).isEqualTo(-1);
        assertThat(message.getInitialTransport()).isNull();
        assertThat(message.isSecure()).isFalse();
        message.hop =
                new Hop(
                        Transport.TLS,
                        new InetSocketAddress("192.0.2.2", 5061),
                        new InetSocketAddress("192.0.2.1", 40000),
                        1);
        assertThat(message.getRemoteAddr()).isEqualTo("192.0.2.1");
        assertThat(message.getRemotePort()).isEqualTo(40000);
        assertThat(message.getLocalAddr()).isEqualTo("192.0.2.2");
        assertThat(message.getLocalPort()).isEqualTo(5061);
        assertThat(message.getTransport()).isEqualTo("TLS");
        assertThat(message.getInitialRemoteAddr()).isEqualTo("192.0.2.1");
        assertThat(message.isSecure()).isTrue();
        assertThat(message.getProtocol()).isEqualTo("SIP/2.0");
        assertThat(message.getCallId()).isEqualTo("call-1");
        assertThat(message.getUserPrincipal()).isNull();
        assertThat(message.getRemoteUser()).isNull();
        assertThat(message.isUserInRole("any")).isFalse();
    }

    private static void illegalArgument(ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOf(IllegalArgumentException.class);
    }

    private static void illegalState(ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOf(IllegalStateException.class);
    }

    @Test
    @Proves({"SipServletMessage#getFrom()", "SipServletMessage#getTo()"})
    void fromAndToAreTheAddressesOfTheirHeaders() {
        TestMessage message = TestMessage.request("INVITE");
        assertThat(message.getFrom()).hasToString("\"Alice\" <sip:alice@example.org>;tag=a1");
        assertThat(message.getFrom().getURI()).hasToString("sip:alice@example.org");
        assertThat(message.getTo()).hasToString("<sip:bob@example.com>");
    }
}
