package io.carillon.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.session.SessionManager;
import org.junit.jupiter.api.Test;

/** Who ends HTTP sessions. */
class SessionIdsTest {
    @Test
    void whoEndsSessionsWhoseTimeIsOverWaitsForNoApplication() {
        List<String> ended = new ArrayList<>();
        SessionManager context =
                (SessionManager)
                        Proxy.newProxyInstance(
                                SessionManager.class.getClassLoader(),
                                new Class<?>[] {SessionManager.class},
                                (proxy, method, arguments) -> {
                                    if (method.getName().equals("invalidate")) {
                                        ended.add(arguments[0] + " " + SessionIds.expiring());
                                        return null;
                                    }
                                    return method.getName().equals("hashCode")
                                            ? System.identityHashCode(proxy)
                                            : Boolean.TRUE;
                                });
        SessionIds ids = SessionIds.of(new Server(), null);
        ids.add(context);
        ids.expireAll("one");
        ids.invalidateAll("two");
        assertThat(ended).containsExactly("one true", "two false");
        assertThat(SessionIds.expiring()).isFalse();
    }
}
