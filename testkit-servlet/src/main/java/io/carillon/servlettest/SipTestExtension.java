package io.carillon.servlettest;

import io.carillon.servlet.app.DeploymentException;
import java.nio.file.Path;
import java.util.Optional;
import javax.servlet.sip.SipServlet;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.platform.commons.support.AnnotationSupport;

/** Makes a server for each test, and looks after it that nothing failed. */
final class SipTestExtension implements BeforeEachCallback, AfterEachCallback, ParameterResolver {
    private static final Namespace OWN = Namespace.create(SipTestExtension.class);

    @Override
    public void beforeEach(ExtensionContext context) throws DeploymentException {
        SipTestServer server = server(context);
        SipTest asked = settings(context);
        for (String archive : asked.archives()) {
            server.deploy(Path.of(archive));
        }
        for (Class<? extends SipServlet> type : asked.servlets()) {
            server.deploy(type);
        }
    }

    @Override
    public void afterEach(ExtensionContext context) {
        SipTestServer server = context.getStore(OWN).get(SipTestServer.class, SipTestServer.class);
        if (server != null) {
            try {
                if (context.getExecutionException().isEmpty()) {
                    server.assertNoErrors();
                }
            } finally {
                server.close();
            }
        }
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == SipTestServer.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return server(context);
    }

    private static SipTestServer server(ExtensionContext context) {
        return context.getStore(OWN)
                .computeIfAbsent(
                        SipTestServer.class,
                        key -> new SipTestServer(settings(context)),
                        SipTestServer.class);
    }

    private static SipTest settings(ExtensionContext context) {
        Optional<SipTest> ofMethod =
                AnnotationSupport.findAnnotation(context.getElement(), SipTest.class);
        return ofMethod.or(() ->
                        AnnotationSupport.findAnnotation(
                                context.getRequiredTestClass(), SipTest.class))
                .orElseThrow(() -> new IllegalStateException("the test has no @SipTest"));
    }

    /** The name of an application that is one servlet class. */
    static String nameOf(Class<? extends SipServlet> type) {
        String simple = type.getSimpleName();
        return Character.toLowerCase(simple.charAt(0)) + simple.substring(1);
    }
}
