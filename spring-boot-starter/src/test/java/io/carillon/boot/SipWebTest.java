package io.carillon.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Proxy;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.SipSessionsUtil;
import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockHttpServletRequest;

class SipWebTest {
    private static <T> T answering(Class<T> type, Object answer) {
        return type.cast(
                Proxy.newProxyInstance(
                        type.getClassLoader(),
                        new Class<?>[] {type},
                        (proxy, method, arguments) -> {
                            if (answer instanceof RuntimeException e) {
                                throw e;
                            }
                            return answer;
                        }));
    }

    /** A session of pages stays for half an hour, and nothing bounds their number. */
    @Test
    void whoFindsNoRoomHasNoHttpSessionEither() {
        SipFactory full =
                answering(SipFactory.class, new IllegalStateException("there is no room"));
        SipWeb web = new SipWeb(full, answering(SipSessionsUtil.class, null));
        MockHttpServletRequest visit = new MockHttpServletRequest();
        assertThatThrownBy(() -> web.of(visit)).hasMessage("there is no room");
        assertThat(visit.getSession(false)).isNull();
    }
}
