package io.carillon.server.http;

import io.carillon.servlet.feature.http.WebPart;
import java.util.List;
import org.eclipse.jetty.ee8.annotations.AnnotationConfiguration;
import org.eclipse.jetty.ee8.annotations.AnnotationDecorator;
import org.eclipse.jetty.ee8.webapp.WebAppContext;
import org.eclipse.jetty.util.Decorator;

/**
 * Finds annotated servlets, filters and listeners; makes instances by {@link InstanceDecorator}.
 */
final class WebAnnotations extends AnnotationConfiguration {
    private final WebPart application;

    WebAnnotations(WebPart application) {
        this.application = application;
    }

    @Override
    public void configure(WebAppContext context) throws Exception {
        super.configure(context);
        for (Decorator decorator : List.copyOf(context.getObjectFactory().getDecorators())) {
            if (decorator instanceof AnnotationDecorator) {
                context.getObjectFactory().removeDecorator(decorator);
            }
        }
        context.getObjectFactory().addDecorator(new InstanceDecorator(context, application));
    }

    @Override
    protected boolean isUseMultiThreading(WebAppContext context) {
        return false; // archives are small, and the processors have calls to serve
    }
}
