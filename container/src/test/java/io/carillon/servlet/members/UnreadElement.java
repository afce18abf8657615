package io.carillon.servlet.members;

import java.io.IOException;
import java.lang.classfile.Annotation;
import java.lang.classfile.AnnotationElement;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.instrument.ClassDefinition;
import java.util.List;

/**
 * The container's reader of annotations, made blind for one element of one annotation: that element
 * looks as if it had been left to its default.
 */
public final class UnreadElement {
    static final String READER = "io.carillon.servlet.app.AnnotationScan";
    private static volatile String annotation = "";
    private static volatile String element = "";

    private UnreadElement() {}

    static ClassDefinition of(Class<?> type, String name)
            throws IOException, ClassNotFoundException {
        annotation = type.descriptorString();
        element = name;
        Class<?> reader = Class.forName(READER);
        ClassDesc here = ClassDesc.of(UnreadElement.class.getName());
        MethodTypeDesc seen =
                MethodTypeDesc.of(ConstantDescs.CD_List, ClassDesc.of(Annotation.class.getName()));
        CodeTransform blind =
                (builder, instruction) -> {
                    if (instruction instanceof InvokeInstruction call
                            && call.owner()
                                    .asInternalName()
                                    .equals(Annotation.class.getName().replace('.', '/'))
                            && call.name().equalsString("elements")) {
                        builder.invokestatic(here, "seen", seen);
                    } else {
                        builder.with(instruction);
                    }
                };
        ClassFile files = ClassFile.of();
        byte[] bytes =
                files.transformClass(
                        files.parse(ChangedBody.bytes(reader)),
                        ClassTransform.transformingMethodBodies(blind));
        return new ClassDefinition(reader, bytes);
    }

    /** Called by the changed reader, in place of {@link Annotation#elements}. */
    public static List<AnnotationElement> seen(Annotation found) {
        return found.elements().stream()
                .filter(one ->
                        !found.className().equalsString(annotation)
                                || !one.name().equalsString(element))
                .toList();
    }
}
