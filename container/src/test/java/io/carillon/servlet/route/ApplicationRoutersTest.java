package io.carillon.servlet.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carillon.servlet.TestRequests;
import io.carillon.servlet.members.Proves;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import javax.servlet.sip.ar.SipApplicationRouter;
import javax.servlet.sip.ar.spi.SipApplicationRouterProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ApplicationRoutersTest {
    private static final SipApplicationRouter OWN =
            TestRequests.stub(SipApplicationRouter.class, Map.of());

    /** Gives a router of its own. */
    public static final class Provider extends SipApplicationRouterProvider {
        @Override
        public SipApplicationRouter getSipApplicationRouter() {
            return OWN;
        }
    }

    /** Gives none. */
    public static final class Empty extends SipApplicationRouterProvider {
        @Override
        public SipApplicationRouter getSipApplicationRouter() {
            return null;
        }
    }

    @TempDir Path folder;

    @AfterEach
    void clear() {
        System.clearProperty(ApplicationRouters.PROVIDER_PROPERTY);
        System.clearProperty(DefaultApplicationRouter.FILE_PROPERTY);
    }

    private void service(String content) throws Exception {
        Path file =
                folder.resolve("META-INF/services/" + SipApplicationRouterProvider.class.getName());
        Files.createDirectories(file.getParent());
        Files.writeString(file, content);
    }

    @Test
    void withoutAnythingItIsTheDefaultRouter() {
        assertThat(ApplicationRouters.open(RouterConfig.DEPLOYMENT_ORDER))
                .isInstanceOf(DefaultApplicationRouter.class);
        assertThat(ApplicationRouters.open(new RouterConfig(null, folder)))
                .isInstanceOf(DefaultApplicationRouter.class);
    }

    @Test
    @Proves({
        "ar.spi.SipApplicationRouterProvider#SipApplicationRouterProvider()",
        "ar.spi.SipApplicationRouterProvider#getSipApplicationRouter()",
    })
    void theSystemPropertyNamesAProvider() {
        System.setProperty(ApplicationRouters.PROVIDER_PROPERTY, Provider.class.getName());
        assertThat(ApplicationRouters.open(RouterConfig.DEPLOYMENT_ORDER)).isSameAs(OWN);
    }

    @Test
    void aServiceFileOfTheConfiguredFolderNamesAProvider() throws Exception {
        service(Provider.class.getName());
        assertThat(ApplicationRouters.open(new RouterConfig(null, folder))).isSameAs(OWN);
    }

    @Test
    void whatCannotBeUsedSaysSo() throws Exception {
        System.setProperty(ApplicationRouters.PROVIDER_PROPERTY, "x.Missing");
        assertThatThrownBy(() -> ApplicationRouters.open(RouterConfig.DEPLOYMENT_ORDER))
                .isInstanceOf(RouterException.class)
                .hasMessageStartingWith(
                        "-Djavax.servlet.sip.ar.spi.SipApplicationRouterProvider=x.Missing: no such application router provider can be made: ");
        System.setProperty(ApplicationRouters.PROVIDER_PROPERTY, Empty.class.getName());
        assertThatThrownBy(() -> ApplicationRouters.open(RouterConfig.DEPLOYMENT_ORDER))
                .hasMessage(Empty.class.getName() + ": getSipApplicationRouter() returned null");
        clear();
        service(Provider.class.getName() + "\n" + Empty.class.getName());
        assertThatThrownBy(() -> ApplicationRouters.open(new RouterConfig(null, folder)))
                .hasMessageStartingWith(folder + ": holds 2 application router providers");
        service("x.Missing");
        assertThatThrownBy(() -> ApplicationRouters.open(new RouterConfig(null, folder)))
                .hasMessageStartingWith(
                        folder + ": the application router provider cannot be used: ");
        Path none = folder.resolve("none");
        assertThatThrownBy(() -> ApplicationRouters.open(new RouterConfig(null, none)))
                .hasMessage(none + ": is no folder");
    }

    @Test
    @Proves("ar.SipApplicationRouter#init()")
    void theFilesSystemPropertyIsAFileNameOrUri() throws Exception {
        Path file = Files.writeString(folder.resolve("dar.properties"), "INVITE: rubbish");
        System.setProperty(DefaultApplicationRouter.FILE_PROPERTY, file.toString());
        assertThatThrownBy(() -> ApplicationRouters.open(RouterConfig.DEPLOYMENT_ORDER))
                .hasMessageStartingWith(file + ":1: expected '('");
        System.setProperty(DefaultApplicationRouter.FILE_PROPERTY, file.toUri().toString());
        assertThatThrownBy(() -> ApplicationRouters.open(RouterConfig.DEPLOYMENT_ORDER))
                .hasMessageStartingWith(file + ":1: expected '('");
    }
}
