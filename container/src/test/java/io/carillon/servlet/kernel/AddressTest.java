package io.carillon.servlet.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carillon.servlet.header.AddressFactory;
import io.carillon.servlet.header.Addresses;
import io.carillon.servlet.members.Proves;
import java.util.Map;
import javax.servlet.sip.Address;
import javax.servlet.sip.Parameterable;
import javax.servlet.sip.ServletParseException;
import javax.servlet.sip.SipURI;
import javax.servlet.sip.URI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Addresses, parameterables and the half of the factory that makes them. */
class AddressTest {
    private static Address address(String text) throws ServletParseException {
        return AddressFactory.createAddress(text);
    }

    @Test
    @Proves(
            value = {
                "Address#getURI()",
                "Parameterable#getParameter(String)",
                "Parameterable#getParameterNames()",
            },
            also = {"Parameterable#getParameters()", "Parameterable#getValue()"})
    void nameAddrGivesItsParts() throws Exception {
        Address address =
                address(
                        "\"A. \\\"B\\\" C\" <sip:a@example.org;lr>;tag=1;q=0.7;expires=60;flag;text=\"x y\"");
        assertThat(address.getDisplayName()).isEqualTo("A. \"B\" C");
        assertThat(address.getURI()).hasToString("sip:a@example.org;lr");
        assertThat(address.getQ()).isEqualTo(0.7f);
        assertThat(address.getExpires()).isEqualTo(60);
        assertThat(address.getParameter("TAG")).isEqualTo("1");
        assertThat(address.getParameter("flag")).isEmpty();
        assertThat(address.getParameter("text")).isEqualTo("x y");
        assertThat(address.getParameter("none")).isNull();
        assertThat(SipUriTest.names(address.getParameterNames()))
                .containsExactly("tag", "q", "expires", "flag", "text");
        assertThat(address.getParameters())
                .containsExactly(
                        Map.entry("tag", "1"),
                        Map.entry("q", "0.7"),
                        Map.entry("expires", "60"),
                        Map.entry("flag", ""),
                        Map.entry("text", "x y"));
        assertThat(address.getValue()).isEqualTo("\"A. \\\"B\\\" C\" <sip:a@example.org;lr>");
        assertThat(address.isWildcard()).isFalse();
    }

    @Test
    void parametersBehindABareUriAreTheAddressesOwn() throws Exception {
        Address address = address("sip:a@example.org;x=1");
        assertThat(address.getParameter("x")).isEqualTo("1");
        assertThat(address.getURI().getParameter("x")).isNull();
    }

    @Test
    @Proves({
        "Address#getExpires()",
        "Address#getQ()",
    })
    void qAndExpiresAreMinusOneWhenAbsent() throws Exception {
        Address address = address("<sip:a@example.org>");
        assertThat(address.getQ()).isEqualTo(-1f);
        assertThat(address.getExpires()).isEqualTo(-1);
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0.0",
        "1, 1.0",
        "0.5, 0.5",
        "0.05, 0.05",
        "0.125, 0.125",
        "0.001, 0.001",
        "0.9996, 1.0"
    })
    @Proves("Address#setQ(float)")
    void qIsPrintedByTheGrammar(float q, String text) throws Exception {
        Address address = address("<sip:a@example.org>");
        address.setQ(q);
        assertThat(address.getParameter("q")).isEqualTo(text);
    }

    @Test
    @Proves(also = "Parameterable#removeParameter(String)")
    void qOutsideItsRangeIsRefusedAndMinusOneRemoves() throws Exception {
        Address address = address("<sip:a@example.org>;q=0.5");
        for (float bad : new float[] {-0.5f, 1.01f, Float.NaN}) {
            assertThatThrownBy(() -> address.setQ(bad))
                    .isInstanceOf(IllegalArgumentException.class);
        }
        address.setQ(-1f);
        assertThat(address.getParameter("q")).isNull();
    }

    @Test
    @Proves("Address#setExpires(int)")
    void negativeExpiresRemoves() throws Exception {
        Address address = address("<sip:a@example.org>;expires=5");
        address.setExpires(7);
        assertThat(address.getParameter("expires")).isEqualTo("7");
        address.setExpires(-1);
        assertThat(address).hasToString("<sip:a@example.org>");
    }

    @Test
    @Proves("Address#isWildcard()")
    void starIsTheWildcardAndHasNoUri() throws Exception {
        Address star = address("*");
        assertThat(star.isWildcard()).isTrue();
        assertThat(star.getURI()).isNull();
        assertThat(star)
                .hasToString("*")
                .isEqualTo(address("*"))
                .isNotEqualTo(address("sip:a@b.example"));
        assertThatThrownBy(() -> star.setDisplayName("x"))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void theUriIsLive() throws Exception {
        Address address = address("\"A\" <sip:a@example.org>;x=1");
        ((SipURI) address.getURI()).setUser("b");
        assertThat(address.getURI()).isSameAs(address.getURI());
        address.setParameter("y", "2");
        assertThat(address).hasToString("\"A\" <sip:b@example.org>;x=1;y=2");
    }

    @Test
    @Proves("Address#setURI(URI)")
    void aUriThatWasSetIsACopy() throws Exception {
        Address address = address("<sip:a@example.org>");
        SipURI uri = AddressFactory.createSipURI("b", "example.com");
        address.setURI(uri);
        uri.setUser("c");
        assertThat(address).hasToString("<sip:b@example.com>");
        assertThatThrownBy(() -> address.setURI(null)).isInstanceOf(NullPointerException.class);
    }

    @Test
    @Proves({
        "Address#clone()",
        "Parameterable#clone()",
    })
    void aCloneHasNoTagAndIsIndependent() throws Exception {
        Address address = address("<sip:a@example.org>;tag=1;x=2");
        Address copy = (Address) address.clone();
        assertThat(copy).hasToString("<sip:a@example.org>;x=2");
        copy.setDisplayName("B");
        ((SipURI) copy.getURI()).setUser("b");
        assertThat(address).hasToString("<sip:a@example.org>;tag=1;x=2");
    }

    @ParameterizedTest
    @CsvSource({
        "<sip:a@EXAMPLE.org>, \"Name\" <sip:a@example.org>, true",
        "<sip:a@example.org>;x=1, <sip:a@example.org>;X=1, true",
        "<sip:a@example.org>;x=1, <sip:a@example.org>;y=1, true",
        "<sip:a@example.org>;x=1, <sip:a@example.org>;x=2, false",
        "<sip:a@example.org>, <sip:b@example.org>, false",
    })
    @Proves({
        "Address#equals(Object)",
        "Parameterable#equals(Object)",
    })
    void addressesCompareByUriAndCommonParameters(String a, String b, boolean equal)
            throws Exception {
        assertThat(address(a).equals(address(b))).isEqualTo(equal);
        if (equal) {
            assertThat(address(a)).hasSameHashCodeAs(address(b));
        }
    }

    @Test
    @Proves(
            also = {
                "Address#setDisplayName(String)",
                "Parameterable#setParameter(String,String)",
            })
    void lineBreaksAreRefused() throws Exception {
        Address address = address("<sip:a@example.org>");
        assertThatThrownBy(() -> address.setDisplayName("a\r\nX: y"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> address.setParameter("x", "a\nb"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> address.setParameter("x\r", "a"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(address).hasToString("<sip:a@example.org>");
    }

    @Test
    @Proves(
            value = {"Address#toString()", "Parameterable#setParameter(String,String)"},
            also = "Parameterable#setValue(String)")
    void valuesThatNeedQuotesGetThemOnce() throws Exception {
        Address address = address("<sip:a@example.org>");
        address.setParameter("a", "x y");
        address.setParameter("b", "\"p q\"");
        address.setParameter("c", "");
        assertThat(address).hasToString("<sip:a@example.org>;a=\"x y\";b=\"p q\";c");
        address.setParameter("a", null);
        address.setValue("\"N\" <sip:n@example.org>");
        assertThat(address).hasToString("\"N\" <sip:n@example.org>;b=\"p q\";c");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "<sip:a@b",
                "sip:",
                "<>",
                "\"x <sip:a@b.example>",
                "<sip:a@b.example> <sip:c@d.example>"
            })
    void malformedAddressesAreParseExceptions(String text) {
        assertThatThrownBy(() -> address(text)).isInstanceOf(ServletParseException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "nothing", "sip:", "sip:a@b:99999999", "sip:a b@c", "tel:"})
    void malformedUrisAreParseExceptions(String text) {
        assertThatThrownBy(() -> AddressFactory.createURI(text))
                .isInstanceOf(ServletParseException.class);
    }

    @Test
    @Proves(also = "Address#toString()")
    void factoryMakesAddressesOfUris() throws Exception {
        URI uri = AddressFactory.createURI("sip:a@example.org;x");
        Address plain = AddressFactory.createAddress(uri);
        assertThat(plain).hasToString("<sip:a@example.org;x>");
        assertThat(plain.getDisplayName()).isNull();
        assertThat(AddressFactory.createAddress(uri, "A \"B\""))
                .hasToString("\"A \\\"B\\\"\" <sip:a@example.org;x>");
    }

    @Test
    @Proves(
            also = {
                "URI#toString()",
                "SipURI#getHost()",
                "SipURI#toString()",
            })
    void factoryTakesUsersEscapedOrNot() throws Exception {
        assertThat(AddressFactory.createSipURI("a%40b", "h.example"))
                .hasToString("sip:a%40b@h.example");
        assertThat(AddressFactory.createSipURI("a@b", "h.example"))
                .hasToString("sip:a%40b@h.example");
        assertThat(AddressFactory.createSipURI("100%", "h.example"))
                .hasToString("sip:100%25@h.example");
        assertThat(AddressFactory.createSipURI(null, "h.example")).hasToString("sip:h.example");
        assertThat(AddressFactory.createSipURI("a", "2001:db8::1").getHost())
                .isEqualTo("[2001:db8::1]");
        assertThatThrownBy(() -> AddressFactory.createSipURI("a", "no host"))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    @Proves(
            also = {
                "SipURI#getPort()",
                "SipURI#setHost(String)",
            })
    void aPortMayStandBehindTheHostOfTheFactoryAndOfSetHost() {
        SipURI uri = AddressFactory.createSipURI("u", "127.0.0.1:5080");
        assertThat(uri).hasToString("sip:u@127.0.0.1:5080");
        assertThat(uri.getHost()).isEqualTo("127.0.0.1");
        assertThat(uri.getPort()).isEqualTo(5080);
        assertThat(AddressFactory.createSipURI("u", "example.com:5080"))
                .hasToString("sip:u@example.com:5080");
        assertThat(AddressFactory.createSipURI("u", "[2001:db8::1]:5080"))
                .hasToString("sip:u@[2001:db8::1]:5080");
        assertThat(AddressFactory.createSipURI("u", "2001:db8::5080"))
                .hasToString("sip:u@[2001:db8::5080]");
        uri.setHost("example.org:5090");
        assertThat(uri).hasToString("sip:u@example.org:5090");
        uri.setHost("example.com");
        assertThat(uri).hasToString("sip:u@example.com:5090");
        for (String bad :
                new String[] {
                    "h:", "h:x", "h:70000", ":5080", "[127.0.0.1:5080]", "[::1:5080", "a:1:2"
                }) {
            assertThatThrownBy(() -> uri.setHost(bad))
                    .as(bad)
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> AddressFactory.createSipURI("u", bad))
                    .as(bad)
                    .isInstanceOf(IllegalArgumentException.class);
        }
        assertThat(uri).hasToString("sip:u@example.com:5090");
    }

    @Test
    @Proves(also = "Parameterable#getParameter(String)")
    void theFactoryStripsWhatIsIllegalInFromAndTo() throws Exception {
        Address given =
                address(
                        "\"A\" <sip:a@example.org:5070;transport=tcp;maddr=x;ttl=1;method=BYE;lr;user=phone;own=1?Subject=x>;tag=9;y=2");
        assertThat(Addresses.forFromTo(given))
                .hasToString("\"A\" <sip:a@example.org:5070;user=phone;own=1>;y=2");
        assertThat(given.getParameter("tag")).isEqualTo("9");
        assertThatThrownBy(() -> Addresses.forFromTo(address("*")))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    @Proves(
            also = {
                "SipURI#setLrParam(boolean)",
                "URI#removeParameter(String)",
            })
    void recordRouteUrisTakeOnlyParametersOfTheApplication() throws Exception {
        int[] changes = {0};
        SipURI ours = (SipURI) AddressFactory.createURI("sip:192.0.2.1:5060;lr");
        SipURI uri =
                Addresses.recordRoute(
                        (io.carillon.sip.uri.SipUri) Addresses.toUri(ours), () -> changes[0]++);
        uri.setParameter("mine", "1");
        for (String taken : new String[] {"transport", "user", "method", "ttl", "maddr", "LR"}) {
            assertThatThrownBy(() -> uri.setParameter(taken, "1"))
                    .isInstanceOf(IllegalArgumentException.class);
        }
        assertThatThrownBy(() -> uri.setLrParam(false))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> uri.setHost("h.example"))
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> uri.setUser("u")).isInstanceOf(IllegalStateException.class);
        assertThat(uri).hasToString("sip:192.0.2.1:5060;lr;mine=1");
        assertThat(changes).containsExactly(1);
    }

    @Test
    @Proves(value = "Parameterable#getValue()", also = "Parameterable#getParameter(String)")
    void parameterablesAreParsedWithAndWithoutFieldName() throws Exception {
        Parameterable event = AddressFactory.createParameterable("Event: presence;id=1");
        assertThat(event.getValue()).isEqualTo("presence");
        assertThat(event.getParameter("id")).isEqualTo("1");
        Parameterable type =
                AddressFactory.createParameterable("text/plain ; charset=\"utf-8\";flag");
        assertThat(type.getValue()).isEqualTo("text/plain");
        assertThat(type.getParameter("CHARSET")).isEqualTo("utf-8");
        assertThat(type.getParameter("flag")).isEmpty();
        Parameterable via =
                AddressFactory.createParameterable("v:SIP/2.0/UDP h.example:5060;branch=z9hG4bK1");
        assertThat(via.getValue()).isEqualTo("SIP/2.0/UDP h.example:5060");
        assertThat(AddressFactory.createParameterable("Contact: <sip:a@b.example>;q=1"))
                .isInstanceOf(Address.class);
        assertThat(AddressFactory.createParameterable("sip:a@b.example;x=1").getValue())
                .isEqualTo("sip:a@b.example");
    }

    /** RFC 3261 25.1: gen-value; a token may be quoted, and some peers want it so. */
    @ParameterizedTest
    @ValueSource(strings = {"<sip:a@h>;z=1", "attachment;z=1"})
    void quotesAroundAParameterStayAsTheyWereWritten(String text) throws Exception {
        Parameterable value = parameterable(text);
        value.setParameter("x", "\"token\"");
        assertThat(value.getParameter("x")).isEqualTo("token");
        assertThat(value).hasToString(text + ";x=\"token\"");
        value.setParameter("x", "\"a \\\"b\\\"\"");
        value.setParameter("z", "2");
        assertThat(value.getParameter("x")).isEqualTo("a \"b\"");
        assertThat(value).hasToString(text.replace("1", "2") + ";x=\"a \\\"b\\\"\"");
        assertThat(parameterable(value.toString())).isEqualTo(value);
        value.setParameter("x", "token");
        assertThat(value).hasToString(text.replace("1", "2") + ";x=token");
        value.setParameter("x", "\"un\"quoted\"");
        assertThat(parameterable(value.toString())).isEqualTo(value);
    }

    private static Parameterable parameterable(String text) throws ServletParseException {
        return text.startsWith("<")
                ? AddressFactory.createAddress(text)
                : AddressFactory.createParameterable(text);
    }

    @Test
    @Proves(
            value = {
                "Parameterable#getParameters()",
                "Parameterable#removeParameter(String)",
                "Parameterable#setValue(String)",
            },
            also = {
                "Parameterable#clone()",
                "Parameterable#equals(Object)",
                "Parameterable#getParameterNames()",
                "Parameterable#setParameter(String,String)",
            })
    void parameterablesChangeAndCompare() throws Exception {
        Parameterable one =
                AddressFactory.createParameterable(
                        "attachment;filename=smime.p7s;handling=required");
        Parameterable other =
                AddressFactory.createParameterable(
                        "ATTACHMENT;handling=required;filename=smime.p7s");
        assertThat(one).isEqualTo(other).hasSameHashCodeAs(other);
        Parameterable copy = (Parameterable) one.clone();
        copy.setParameter("filename", "a b");
        copy.removeParameter("handling");
        copy.setValue("inline");
        assertThat(copy).hasToString("inline;filename=\"a b\"").isNotEqualTo(one);
        assertThat(copy.getParameters()).containsExactly(Map.entry("filename", "a b"));
        assertThat(SipUriTest.names(copy.getParameterNames())).containsExactly("filename");
        assertThat(copy.getParameter("filename")).isEqualTo("a b");
        assertThatThrownBy(() -> copy.setValue("a;b=c"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> AddressFactory.createParameterable(";a=b"))
                .isInstanceOf(ServletParseException.class);
        assertThatThrownBy(() -> AddressFactory.createParameterable("a;b c=d"))
                .isInstanceOf(ServletParseException.class);
    }

    @Test
    @Proves({"Address#getDisplayName()", "Address#setDisplayName(String)"})
    void theDisplayNameIsGivenWithoutQuotesAndGoesWithNull() throws Exception {
        Address address = address("\"A \\\"B\\\"\" <sip:a@example.org>;x=1");
        assertThat(address.getDisplayName()).isEqualTo("A \"B\"");
        address.setDisplayName("C \"D\"");
        assertThat(address.getDisplayName()).isEqualTo("C \"D\"");
        assertThat(address).hasToString("\"C \\\"D\\\"\" <sip:a@example.org>;x=1");
        address.setDisplayName(null);
        assertThat(address.getDisplayName()).isNull();
        assertThat(address).hasToString("<sip:a@example.org>;x=1");
    }
}
