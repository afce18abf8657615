package io.carillon.servlet.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carillon.servlet.header.AddressFactory;
import io.carillon.servlet.header.Addresses;
import io.carillon.servlet.members.Proves;
import java.util.List;
import java.util.ListIterator;
import javax.servlet.sip.Address;
import javax.servlet.sip.Parameterable;
import javax.servlet.sip.ServletParseException;
import javax.servlet.sip.SipServletMessage.HeaderForm;
import javax.servlet.sip.SipURI;
import org.junit.jupiter.api.Test;

/** Headers that are no system headers: as text, as objects, by long and compact name. */
class HeaderAccessTest {
    @Test
    @Proves("SipServletMessage#removeHeader(String)")
    void longAndCompactNamesAreTheSameHeader() throws Exception {
        TestMessage message =
                TestMessage.request(
                        "INVITE", "Subject: one", "Refer-To: <sip:r@example.org>", "o: dialog");
        assertThat(message.getHeader("s")).isEqualTo("one");
        assertThat(message.getHeader("SUBJECT")).isEqualTo("one");
        assertThat(message.getHeader("f")).isEqualTo(message.getHeader("From"));
        assertThat(message.getAddressHeader("r").getURI()).hasToString("sip:r@example.org");
        assertThat(message.getParameterableHeader("Event").getValue()).isEqualTo("dialog");
        message.setHeader("s", "two");
        assertThat(texts(message.getHeaders("Subject"))).containsExactly("two");
        message.removeHeader("S");
        assertThat(message.getHeader("Subject")).isNull();
    }

    @Test
    @Proves("SipServletMessage#getHeader(String)")
    void everyElementOfACommaListIsAValue() {
        TestMessage message =
                TestMessage.request("INVITE", "Supported: 100rel, timer", "k: path", "X-Own: a, b");
        assertThat(message.getHeader("Supported")).isEqualTo("100rel");
        assertThat(texts(message.getHeaders("Supported")))
                .containsExactly("100rel", "timer", "path");
        assertThat(texts(message.getHeaders("X-Own"))).containsExactly("a, b");
        assertThat(texts(message.getHeaders("X-None"))).isEmpty();
    }

    @Test
    @Proves({
        "SipServletMessage#getHeaderNames()",
        "SipServletMessage#setHeader(String,String)",
    })
    void headerNamesStandOnceAndLong() {
        TestMessage message = TestMessage.request("INVITE", "k: timer", "X-Own: 1", "x-own: 2");
        List<String> received = SipUriTest.names(message.getHeaderNames());
        assertThat(received).contains("Via", "From", "To", "Call-ID", "CSeq", "Supported", "X-Own");
        assertThat(received).doesNotHaveDuplicates().doesNotContain("x-own", "k");
        message.setHeader("X-New", "1");
        assertThat(SipUriTest.names(message.getHeaderNames()))
                .containsAll(received)
                .contains("X-New");
    }

    @Test
    @Proves({
        "SipServletMessage#addHeader(String,String)",
        "SipServletMessage#getHeaders(String)",
    })
    void addingKeepsTheOrder() {
        TestMessage message = TestMessage.request("INVITE", "X-Own: 1");
        message.addHeader("X-Own", "2");
        message.addHeader("Accept", "application/sdp");
        message.addHeader("Accept", "text/plain");
        assertThat(texts(message.getHeaders("X-Own"))).containsExactly("1", "2");
        assertThat(message.freeze().toString())
                .contains("X-Own: 1\r\n")
                .contains("X-Own: 2\r\n")
                .contains("Accept: application/sdp\r\nAccept: text/plain\r\n");
    }

    @Test
    void lineBreaksAreRefusedAtTheSetter() {
        TestMessage message = TestMessage.request("INVITE", "X-Own: 1");
        assertThatThrownBy(() -> message.setHeader("X-Own", "a\r\nVia: b"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> message.addHeader("X-Own", "a\nb"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> message.setHeader("X Own", "a"))
                .isInstanceOf(IllegalArgumentException.class);
        ListIterator<String> values = message.getHeaders("X-Own");
        values.next();
        assertThatThrownBy(() -> values.set("a\0b")).isInstanceOf(IllegalArgumentException.class);
        assertThat(texts(message.getHeaders("X-Own"))).containsExactly("1");
    }

    @Test
    @Proves(also = "SipServletMessage#setAddressHeader(String,Address)")
    void nullArgumentsAreRefused() {
        TestMessage message = TestMessage.request("INVITE");
        assertThatThrownBy(() -> message.getHeader(null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> message.setHeader("X", null))
                .isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> message.addHeader(null, "x"))
                .isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> message.setAddressHeader("X", null))
                .isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> message.getAttribute(null))
                .isInstanceOf(NullPointerException.class);
    }

    @Test
    void textIteratorsWriteThrough() {
        TestMessage message = TestMessage.request("INVITE", "Allow: INVITE, BYE, INFO");
        ListIterator<String> values = message.getHeaders("Allow");
        values.next();
        values.set("ACK");
        values.next();
        values.remove();
        values.add("OPTIONS");
        assertThat(texts(message.getHeaders("Allow"))).containsExactly("ACK", "OPTIONS", "INFO");
        while (values.hasPrevious()) {
            values.previous();
            values.remove();
        }
        while (values.hasNext()) {
            values.next();
            values.remove();
        }
        assertThat(message.getHeader("Allow")).isNull();
    }

    @Test
    @Proves("SipServletMessage#getAddressHeader(String)")
    void addressesAreLiveAndWrittenBack() throws Exception {
        TestMessage message =
                TestMessage.request(
                        "REGISTER", "Contact: <sip:a@192.0.2.1>;q=0.5, <sip:b@192.0.2.2>");
        Address contact = message.getAddressHeader("Contact");
        assertThat(message.getAddressHeader("m")).isSameAs(contact);
        contact.setExpires(60);
        ((SipURI) contact.getURI()).setPort(5070);
        contact.setDisplayName("A");
        assertThat(message.getHeader("Contact"))
                .isEqualTo("\"A\" <sip:a@192.0.2.1:5070>;q=0.5;expires=60");
        contact.setQ(-1f);
        assertThat(message.freeze().toString())
                .contains("\"A\" <sip:a@192.0.2.1:5070>;expires=60")
                .contains("<sip:b@192.0.2.2>");
        assertThat(texts(message.getHeaders("Contact"))).hasSize(2);
    }

    @Test
    @Proves("SipServletMessage#getAddressHeaders(String)")
    void addressIteratorsChangeTheHeader() throws Exception {
        TestMessage message =
                TestMessage.request(
                        "REGISTER", "Contact: <sip:a@192.0.2.1>", "Contact: <sip:b@192.0.2.2>");
        ListIterator<Address> contacts = message.getAddressHeaders("Contact");
        contacts.next().setParameter("x", "1");
        contacts.next();
        Address other = AddressFactory.createAddress("<sip:c@192.0.2.3>");
        contacts.set(other);
        contacts.add(other);
        other.setParameter("later", "1");
        assertThat(texts(message.getHeaders("Contact")))
                .containsExactly("<sip:a@192.0.2.1>;x=1", "<sip:c@192.0.2.3>", "<sip:c@192.0.2.3>");
        while (contacts.hasPrevious()) {
            contacts.previous();
            contacts.remove();
        }
        assertThat(message.getAddressHeader("Contact")).isNull();
        assertThat(message.freeze().has(io.carillon.sip.header.HeaderName.CONTACT)).isFalse();
        assertThatThrownBy(contacts::remove).isInstanceOf(IllegalStateException.class);
    }

    @Test
    @Proves({
        "SipServletMessage#addAddressHeader(String,Address,boolean)",
        "SipServletMessage#setAddressHeader(String,Address)",
    })
    void addressesMayBeAddedInFrontAndBehind() throws Exception {
        TestMessage message = TestMessage.response(302, "INVITE");
        message.setAddressHeader("Contact", AddressFactory.createAddress("<sip:b@example.org>"));
        message.addAddressHeader(
                "Contact", AddressFactory.createAddress("<sip:c@example.org>"), false);
        Address read = message.getAddressHeader("Contact");
        message.addAddressHeader(
                "Contact", AddressFactory.createAddress("<sip:a@example.org>"), true);
        read.setQ(0.5f);
        assertThat(texts(message.getHeaders("Contact")))
                .containsExactly(
                        "<sip:a@example.org>", "<sip:b@example.org>;q=0.5", "<sip:c@example.org>");
    }

    @Test
    void extensionHeadersMayHoldAddresses() throws Exception {
        TestMessage message =
                TestMessage.request(
                        "INVITE", "X-Who: <sip:a@example.org>;x=1, <sip:b@example.org>");
        ListIterator<Address> who = message.getAddressHeaders("X-Who");
        assertThat(who.next().getParameter("x")).isEqualTo("1");
        assertThat(who.next().getURI()).hasToString("sip:b@example.org");
        assertThat(message.getAddressHeader("X-None")).isNull();
        assertThatThrownBy(() -> message.getAddressHeader("CSeq"))
                .isInstanceOf(ServletParseException.class);
        TestMessage bad = TestMessage.request("INVITE", "X-Who: no address at all");
        assertThatThrownBy(() -> bad.getAddressHeader("X-Who"))
                .isInstanceOf(ServletParseException.class);
        assertThatThrownBy(() ->
                        bad.setAddressHeader(
                                "Subject", AddressFactory.createAddress("<sip:a@b.example>")))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    @Proves({
        "SipServletMessage#getParameterableHeaders(String)",
        "SipServletMessage#addParameterableHeader(String,Parameterable,boolean)",
        "SipServletMessage#setParameterableHeader(String,Parameterable)",
        "SipServletMessage#getParameterableHeader(String)",
    })
    void parameterableHeadersAreLive() throws Exception {
        TestMessage message =
                TestMessage.request("SUBSCRIBE", "Event: presence;id=1", "Accept: a/b;q=0.5, c/d");
        Parameterable event = message.getParameterableHeader("Event");
        event.setParameter("id", "2");
        assertThat(message.getHeader("Event")).isEqualTo("presence;id=2");
        ListIterator<? extends Parameterable> accept = message.getParameterableHeaders("Accept");
        accept.next().removeParameter("q");
        assertThat(texts(message.getHeaders("Accept"))).containsExactly("a/b", "c/d");
        message.setParameterableHeader("Event", AddressFactory.createParameterable("dialog"));
        message.addParameterableHeader("Accept", AddressFactory.createParameterable("e/f"), true);
        assertThat(message.getHeader("o")).isEqualTo("dialog");
        assertThat(texts(message.getHeaders("Accept"))).containsExactly("e/f", "a/b", "c/d");
        assertThat(message.getParameterableHeader("From")).isInstanceOf(Address.class);
        assertThat(message.getParameterableHeader("Via").getParameter("branch"))
                .isEqualTo("z9hG4bK1");
    }

    /** What is written as one is an address; RFC 3261 20.10: Contact takes nothing else. */
    @Test
    void aParameterableThatIsAnAddressMayBeAContact() throws Exception {
        TestMessage message = TestMessage.request("REGISTER");
        message.addParameterableHeader(
                "Contact",
                AddressFactory.createParameterable("<sip:a@10.0.0.9:5070>;expires=60;q=0.5"),
                false);
        assertThat(message.getAddressHeader("Contact").getExpires()).isEqualTo(60);
        assertThat(message.getParameterableHeader("Contact").getParameter("q")).isEqualTo("0.5");
        assertThatThrownBy(() ->
                        message.addParameterableHeader(
                                "Contact",
                                AddressFactory.createParameterable("no address;x=1"),
                                false))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void textWrittenLaterWinsOverAnObjectReadBefore() throws Exception {
        TestMessage message = TestMessage.request("SUBSCRIBE", "Event: presence");
        Parameterable event = message.getParameterableHeader("Event");
        event.setParameter("id", "1");
        message.setHeader("Event", "dialog");
        event.setParameter("id", "2");
        assertThat(message.getHeader("Event")).isEqualTo("dialog");
        assertThat(message.getParameterableHeader("Event").getValue()).isEqualTo("dialog");
    }

    @Test
    @Proves({
        "SipServletMessage#getHeaderForm()",
        "SipServletMessage#setHeaderForm(HeaderForm)",
    })
    void headerFormDecidesWhatLeaves() {
        TestMessage message = TestMessage.request("INVITE", "Subject: x");
        assertThat(message.getHeaderForm()).isEqualTo(HeaderForm.DEFAULT);
        message.setHeaderForm(HeaderForm.COMPACT);
        assertThat(message.getHeaderForm()).isEqualTo(HeaderForm.COMPACT);
        assertThat(message.freeze().toString()).contains("\r\ns: x\r\n").contains("\r\nf: ");
        message.setHeaderForm(HeaderForm.LONG);
        assertThat(message.freeze().toString())
                .contains("\r\nSubject: x\r\n")
                .contains("\r\nFrom: ");
    }

    @Test
    @Proves(
            value = {
                "SipServletMessage#getExpires()",
                "SipServletMessage#setExpires(int)",
            },
            also = "SipServletMessage#removeHeader(String)")
    void expiresIsMinusOneWhenAbsent() {
        TestMessage message = TestMessage.request("REGISTER");
        assertThat(message.getExpires()).isEqualTo(-1);
        message.setExpires(3600);
        assertThat(message.getExpires()).isEqualTo(3600);
        assertThat(message.getHeader("Expires")).isEqualTo("3600");
        message.setExpires(-1);
        assertThat(message.getHeader("Expires")).isNull();
        assertThat(TestMessage.request("REGISTER", "Expires: 9999999999").getExpires())
                .isEqualTo(Integer.MAX_VALUE);
        assertThat(TestMessage.request("REGISTER", "Expires: soon").getExpires()).isEqualTo(-1);
    }

    @Test
    @Proves(also = "SipURI#setUser(String)")
    void theRequestUriIsLive() throws Exception {
        TestMessage message = TestMessage.request("INVITE");
        SipURI uri = (SipURI) message.requestUriView();
        assertThat(message.requestUriView()).isSameAs(uri);
        uri.setUser("carol");
        assertThat(message.freeze().toString())
                .startsWith("INVITE sip:carol@example.com SIP/2.0\r\n");
        assertThat(message.requestUriView()).isSameAs(uri);
        message.putRequestUri(Addresses.toUri(AddressFactory.createURI("tel:+1201")));
        uri.setUser("dave");
        assertThat(message.requestUri()).hasToString("tel:+1201");
    }

    @Test
    @Proves({
        "SipServletMessage#getAttribute(String)",
        "SipServletMessage#getAttributeNames()",
        "SipServletMessage#removeAttribute(String)",
        "SipServletMessage#setAttribute(String,Object)",
    })
    void attributesComeAndGo() {
        TestMessage message = TestMessage.request("INVITE");
        assertThat(message.getAttributeNames().hasMoreElements()).isFalse();
        message.setAttribute("a", 1);
        assertThat(message.getAttribute("a")).isEqualTo(1);
        assertThat(message.getAttributeNames().nextElement()).isEqualTo("a");
        message.setAttribute("a", null);
        message.removeAttribute("b");
        assertThat(message.getAttribute("a")).isNull();
    }

    static List<String> texts(ListIterator<String> values) {
        return SipUriTest.names(values);
    }
}
