package io.carillon.servlet.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carillon.servlet.header.AddressFactory;
import io.carillon.servlet.members.Proves;
import java.util.ArrayList;
import java.util.List;
import javax.servlet.sip.ServletParseException;
import javax.servlet.sip.SipURI;
import javax.servlet.sip.TelURL;
import javax.servlet.sip.URI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** URIs of the API: RFC 3261 19.1, RFC 3966 and what the API adds. */
class SipUriTest {
    private static SipURI sip(String text) throws ServletParseException {
        return (SipURI) AddressFactory.createURI(text);
    }

    private static TelURL tel(String text) throws ServletParseException {
        return (TelURL) AddressFactory.createURI(text);
    }

    @Test
    @Proves({
        "SipURI#getHeader(String)",
        "SipURI#getHeaderNames()",
        "SipURI#getLrParam()",
        "SipURI#getTransportParam()",
        "SipURI#getUserPassword()",
        "SipURI#removeHeader(String)",
        "SipURI#getHost()",
        "SipURI#getPort()",
        "SipURI#getUser()",
        "SipURI#setUser(String)",
        "SipURI#toString()",
        "URI#getParameter(String)",
        "URI#setParameter(String,String)",
        "URI#getParameterNames()",
    })
    void partsAreGivenWithoutEscapesAndPrintedWithThem() throws Exception {
        SipURI uri =
                sip(
                        "sip:al%20ice:p%40w@example.org:5070;transport=tcp;lr;x=%3b?Subject=a%20b&Priority=urgent");
        assertThat(uri.getUser()).isEqualTo("al ice");
        assertThat(uri.getUserPassword()).isEqualTo("p@w");
        assertThat(uri.getHost()).isEqualTo("example.org");
        assertThat(uri.getPort()).isEqualTo(5070);
        assertThat(uri.getTransportParam()).isEqualTo("tcp");
        assertThat(uri.getLrParam()).isTrue();
        assertThat(uri.getParameter("lr")).isEmpty();
        assertThat(uri.getParameter("X")).isEqualTo(";");
        assertThat(uri.getParameter("y")).isNull();
        assertThat(uri.getHeader("subject")).isEqualTo("a b");
        assertThat(names(uri.getParameterNames())).containsExactly("transport", "lr", "x");
        assertThat(names(uri.getHeaderNames())).containsExactly("Subject", "Priority");
        uri.setUser("b@b");
        uri.removeHeader("subject");
        uri.setParameter("x", "1 2");
        assertThat(uri)
                .hasToString(
                        "sip:b%40b:p%40w@example.org:5070;transport=tcp;lr;x=1%202?Priority=urgent");
    }

    @Test
    @Proves(
            also = {
                "SipURI#getLrParam()",
                "SipURI#getPort()",
                "SipURI#getTTLParam()",
                "URI#getParameterNames()",
            })
    void absentPartsAreNullOrMinusOne() throws Exception {
        SipURI uri = sip("sip:example.org");
        assertThat(uri.getUser()).isNull();
        assertThat(uri.getUserPassword()).isNull();
        assertThat(uri.getPort()).isEqualTo(-1);
        assertThat(uri.getTTLParam()).isEqualTo(-1);
        assertThat(uri.getMAddrParam()).isNull();
        assertThat(uri.getMethodParam()).isNull();
        assertThat(uri.getUserParam()).isNull();
        assertThat(uri.getLrParam()).isFalse();
        assertThat(uri.getParameterNames().hasNext()).isFalse();
    }

    @Test
    @Proves({
        "SipURI#getMAddrParam()",
        "SipURI#getMethodParam()",
        "SipURI#getUserParam()",
        "SipURI#isSecure()",
        "SipURI#setMAddrParam(String)",
        "SipURI#setMethodParam(String)",
        "SipURI#setTransportParam(String)",
        "SipURI#setUserParam(String)",
        "SipURI#setUserPassword(String)",
        "SipURI#setHeader(String,String)",
        "SipURI#setHost(String)",
        "SipURI#setLrParam(boolean)",
        "SipURI#setPort(int)",
        "SipURI#setTTLParam(int)",
        "SipURI#setSecure(boolean)",
        "URI#removeParameter(String)",
        "SipURI#getTTLParam()",
    })
    void settersSetAndRemove() throws Exception {
        SipURI uri = AddressFactory.createSipURI("alice", "example.org");
        assertThat(uri).hasToString("sip:alice@example.org");
        assertThat(uri.isSecure()).isFalse();
        uri.setSecure(true);
        uri.setPort(5061);
        uri.setTransportParam("tcp");
        uri.setMAddrParam("224.2.0.1");
        uri.setTTLParam(15);
        uri.setUserParam("phone");
        uri.setMethodParam("MESSAGE");
        uri.setLrParam(true);
        uri.setHeader("Subject", "x");
        uri.setUserPassword("pw");
        uri.setHost("example.com");
        assertThat(uri)
                .hasToString(
                        "sips:alice:pw@example.com:5061;transport=tcp;maddr=224.2.0.1;ttl=15;user=phone;"
                                + "method=MESSAGE;lr?Subject=x");
        assertThat(uri.isSecure()).isTrue();
        assertThat(uri.getScheme()).isEqualTo("sips");
        assertThat(uri.getMAddrParam()).isEqualTo("224.2.0.1");
        assertThat(uri.getTTLParam()).isEqualTo(15);
        assertThat(uri.getMethodParam()).isEqualTo("MESSAGE");
        assertThat(uri.getUserParam()).isEqualTo("phone");
        uri.setPort(-1);
        uri.setTTLParam(-1);
        uri.setLrParam(false);
        uri.setMAddrParam(null);
        uri.removeParameter("METHOD");
        uri.setUserPassword(null);
        assertThat(uri).hasToString("sips:alice@example.com;transport=tcp;user=phone?Subject=x");
    }

    @Test
    @Proves(
            also = {
                "SipURI#setPort(int)",
                "SipURI#setTTLParam(int)",
            })
    void aBadArgumentLeavesTheUriAsItWas() throws Exception {
        SipURI uri = sip("sip:alice@example.org");
        assertThatThrownBy(() -> uri.setHost("a b")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> uri.setPort(65536)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> uri.setParameter("a b", "x"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> uri.setParameter("a", "x\r\ny"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> uri.setTTLParam(256)).isInstanceOf(IllegalArgumentException.class);
        assertThat(uri).hasToString("sip:alice@example.org");
    }

    @ParameterizedTest(name = "RFC 3261 19.1.4: {0} and {1}: {2}")
    @CsvSource(
            delimiter = ' ',
            value = {
                "sip:%61lice@atlanta.com;transport=TCP sip:alice@AtLanTa.CoM;Transport=tcp true",
                "sip:carol@chicago.com sip:carol@chicago.com;newparam=5 true",
                "sip:carol@chicago.com;newparam=5 sip:carol@chicago.com;security=on true",
                "sip:biloxi.com;transport=tcp;method=REGISTER?to=sip:bob%40biloxi.com"
                        + " sip:biloxi.com;method=REGISTER;transport=tcp?to=sip:bob%40biloxi.com true",
                "SIP:ALICE@AtLanTa.CoM;Transport=udp sip:alice@AtLanTa.CoM;Transport=UDP false",
                "sip:bob@biloxi.com sip:bob@biloxi.com:5060 false",
                "sip:bob@biloxi.com sip:bob@biloxi.com;transport=udp false",
                "sip:bob@biloxi.com sip:bob@biloxi.com:6000;transport=tcp false",
                "sip:carol@chicago.com sip:carol@chicago.com?Subject=next%20meeting false",
                "sip:carol@chicago.com;security=on sip:carol@chicago.com;security=off false",
                "sip:carol@chicago.com sips:carol@chicago.com false"
            })
    @Proves("SipURI#equals(Object)")
    void sipEquality(String a, String b, boolean equal) throws Exception {
        assertThat(sip(a).equals(sip(b))).isEqualTo(equal);
        assertThat(sip(b).equals(sip(a))).isEqualTo(equal);
        if (equal) {
            assertThat(sip(a)).hasSameHashCodeAs(sip(b));
        }
    }

    @ParameterizedTest(name = "RFC 3966 5: {0} and {1}: {2}")
    @CsvSource(
            delimiter = ' ',
            value = {
                "tel:+1-201-555-0123 tel:+12015550123 true",
                "tel:+1(201)555.0123;a=b;c=d tel:+12015550123;C=D;A=B true",
                "tel:7042;phone-context=example.com tel:7042;phone-context=EXAMPLE.com true",
                "tel:7042;phone-context=example.com tel:7042;phone-context=example.net false",
                "tel:+12015550123 tel:+12015550124 false",
                "tel:+12015550123 tel:+12015550123;ext=1 false"
            })
    @Proves(value = "TelURL#equals(Object)", also = "URI#equals(Object)")
    void telEquality(String a, String b, boolean equal) throws Exception {
        assertThat(tel(a).equals(tel(b))).isEqualTo(equal);
        if (equal) {
            assertThat(tel(a)).hasSameHashCodeAs(tel(b));
        }
    }

    @Test
    @Proves(
            value = {
                "TelURL#getPhoneContext()",
                "TelURL#getPhoneNumber()",
                "TelURL#isGlobal()",
                "TelURL#setPhoneNumber(String)",
                "TelURL#setPhoneNumber(String,String)",
                "TelURL#toString()",
                "URI#getScheme()",
            },
            also = "URI#getParameterNames()")
    void telUrlsAreGlobalOrLocalWithPhoneContext() throws Exception {
        TelURL global = tel("tel:+1-201-555-0123;isub=1");
        assertThat(global.isGlobal()).isTrue();
        assertThat(global.getPhoneNumber()).isEqualTo("1-201-555-0123");
        assertThat(global.getPhoneContext()).isNull();
        assertThat(global.isSipURI()).isFalse();
        assertThat(global.getScheme()).isEqualTo("tel");
        assertThat(global.getParameter("isub")).isEqualTo("1");
        assertThat(names(global.getParameterNames())).containsExactly("isub");

        TelURL local = tel("tel:7042;phone-context=example.com");
        assertThat(local.isGlobal()).isFalse();
        assertThat(local.getPhoneNumber()).isEqualTo("7042");
        assertThat(local.getPhoneContext()).isEqualTo("example.com");

        local.setPhoneNumber("+1-201-555-0123");
        assertThat(local).hasToString("tel:+1-201-555-0123");
        local.setPhoneNumber("7043", "+1-201");
        assertThat(local).hasToString("tel:7043;phone-context=+1-201");
        assertThat(local.getPhoneContext()).isEqualTo("+1-201");
    }

    @Test
    @Proves(
            also = {
                "TelURL#setPhoneNumber(String)",
                "TelURL#setPhoneNumber(String,String)",
            })
    void badPhoneNumbersAreRefused() throws Exception {
        TelURL url = tel("tel:+12015550123");
        assertThatThrownBy(() -> url.setPhoneNumber("12015550123"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> url.setPhoneNumber("+12x"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> url.setPhoneNumber("+1;ext=2"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> url.setPhoneNumber("+1201", "example.com"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> url.setPhoneNumber("7042", "exa mple"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> url.setPhoneNumber("7042", ""))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(url).hasToString("tel:+12015550123");
    }

    @Test
    @Proves(
            value = {
                "URI#equals(Object)",
                "URI#isSipURI()",
                "URI#toString()",
            },
            also = "URI#getParameterNames()")
    void urisOfAnySchemeAreUnderstood() throws Exception {
        URI urn = AddressFactory.createURI("urn:service:sos");
        assertThat(urn.getScheme()).isEqualTo("urn");
        assertThat(urn.isSipURI()).isFalse();
        assertThat(urn.getParameter("x")).isNull();
        assertThat(urn).isEqualTo(AddressFactory.createURI("URN:service:sos"));
        URI http = AddressFactory.createURI("http://example.com/a;v=1?q=2");
        assertThat(http.getParameter("v")).isEqualTo("1");
        assertThat(names(http.getParameterNames())).containsExactly("v");
        http.setParameter("w", "");
        http.removeParameter("v");
        assertThat(http).hasToString("http://example.com/a;w?q=2");
    }

    @Test
    @Proves(value = "URI#clone()", also = "SipURI#getUser()")
    void aCloneIsIndependent() throws Exception {
        SipURI uri = sip("sip:alice@example.org");
        SipURI copy = (SipURI) uri.clone();
        copy.setUser("bob");
        assertThat(uri.getUser()).isEqualTo("alice");
        assertThat(copy).isNotEqualTo(uri);
    }

    @Test
    @Proves(
            also = {
                "URI#getParameter(String)",
                "URI#setParameter(String,String)",
                "SipURI#setHost(String)",
            })
    void nullNamesAreRefused() throws Exception {
        SipURI uri = sip("sip:alice@example.org");
        assertThatThrownBy(() -> uri.getParameter(null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> uri.setParameter(null, "x"))
                .isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> uri.setHost(null)).isInstanceOf(NullPointerException.class);
    }

    static List<String> names(java.util.Iterator<String> names) {
        List<String> list = new ArrayList<>();
        names.forEachRemaining(list::add);
        return list;
    }
}
